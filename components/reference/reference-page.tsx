/** The reference of the HTTP API: its requests by what they are about, then the shapes that they share. */
import { PageHeader } from '@/components/shell/page-header';
import { ButtonLink } from '@/components/ui/button';
import type { ApiDocument, ApiOperation } from './api-document';
import { OperationEntry } from './operation-entry';
import styles from './reference-page.module.css';
import { SchemaFields } from './schema-fields';

export function ReferencePage({ document }: { document: ApiDocument }) {
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method, operation })),
  );
  const [server] = document.servers;
  return (
    <>
      <PageHeader
        title="API"
        sub={`Version ${document.info.version}, at ${server?.url ?? 'this address'}`}
        actions={<ButtonLink href="/api/openapi.json">openapi.json</ButtonLink>}
      />
      <div className={styles.page}>
        <p>
          {document.info.description} Every request carries <code>Authorization: Bearer &lt;token&gt;</code>; the token
          stands in the data folder.
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by the keyboard */}
        <pre className={styles.example} tabIndex={0}>
          {exampleOf(server?.url ?? '')}
        </pre>
        {document.tags.map(({ name }) => (
          <section key={name} className={styles.tag} aria-labelledby={`tag-${name}`}>
            <h2 id={`tag-${name}`}>{name}</h2>
            {operations
              .filter(({ operation }) => isAbout(operation, name))
              .map((entry) => (
                <OperationEntry key={entry.operation.operationId} {...entry} />
              ))}
          </section>
        ))}
        <section className={styles.tag} aria-labelledby="shapes">
          <h2 id="shapes">Shapes</h2>
          {Object.entries(document.components.schemas).map(([name, schema]) => (
            <details key={name} id={`shape-${name}`} className={styles.shape}>
              <summary>{name}</summary>
              <SchemaFields schema={schema} />
            </details>
          ))}
        </section>
      </div>
    </>
  );
}

function isAbout(operation: ApiOperation, tag: string): boolean {
  return operation.tags?.includes(tag) ?? false;
}

function exampleOf(url: string): string {
  return `curl -H "Authorization: Bearer $TOKEN" ${url}/api/sessions`;
}
