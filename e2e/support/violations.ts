/** What axe holds against a page, as a test shows it. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from 'playwright/test';

export async function noViolations(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`).join(' | ')}`,
    ),
    where,
  ).toEqual([]);
}
