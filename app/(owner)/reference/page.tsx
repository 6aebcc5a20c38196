import type { Metadata } from 'next';
import { connection } from 'next/server';
import type { ApiDocument } from '@/components/reference/api-document';
import { ReferencePage } from '@/components/reference/reference-page';
import { ownUrl } from '@/lib/server/address';
import { openApiDocument } from '@/lib/server/openapi';

export const metadata: Metadata = { title: 'API' };

/** The API document as a page: every request, what it takes and what it answers. */
export default async function Page() {
  await connection();
  // Typed there by what writes it, here by what the page reads.
  return <ReferencePage document={openApiDocument(ownUrl()) as unknown as ApiDocument} />;
}
