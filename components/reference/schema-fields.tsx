/** The fields of a shape, nested ones under theirs; named shapes lead to where they stand. */
import { type ApiSchema, boundsInWords, referenceName, schemaInWords } from './api-document';
import styles from './schema-fields.module.css';

/** Fields drawn inside fields; deeper ones are named only. */
const DEEPEST = 3;

export function SchemaFields({ schema, depth = 0 }: { schema: ApiSchema; depth?: number }) {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.some((choice) => choice.properties)) {
    return (
      <div className={styles.choices}>
        {choices.map((choice) => (
          <div key={JSON.stringify(choice).slice(0, 200)} className={styles.choice}>
            <p className={styles.either}>one of these</p>
            <SchemaFields schema={choice} depth={depth} />
          </div>
        ))}
      </div>
    );
  }
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return null;
  return (
    <dl className={styles.fields}>
      {fields.map(([name, field]) => (
        <div key={name}>
          <dt className={styles.name}>
            {name}
            {!schema.required?.includes(name) && <span className={styles.type}> optional</span>}
          </dt>
          <dd>
            <SchemaName schema={field} /> <span className={styles.type}>{boundsInWords(field).join(', ')}</span>{' '}
            {field.description}
            {depth < DEEPEST && <Inner field={field} depth={depth + 1} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The fields of an object, or of the objects in a list. */
function Inner({ field, depth }: { field: ApiSchema; depth: number }) {
  const inner = [field, field.items, ...(field.anyOf ?? [])].find((candidate) => candidate?.properties);
  return inner ? <SchemaFields schema={inner} depth={depth} /> : null;
}

export function SchemaName({ schema }: { schema: ApiSchema | undefined }) {
  const named = [schema, schema?.items, ...(schema?.anyOf ?? [])].find((candidate) => candidate?.$ref);
  const words = schemaInWords(schema);
  return named?.$ref ? (
    <a className={styles.type} href={`#shape-${referenceName(named.$ref)}`}>
      {words}
    </a>
  ) : (
    <span className={styles.type}>{words}</span>
  );
}
