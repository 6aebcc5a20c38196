/** One request of the API: folded to its method, path and what it is for; opened, what it takes and answers. */
import { classNames } from '@/components/ui/class-names';
import { type ApiOperation, type ApiParameter, boundsInWords, schemaInWords } from './api-document';
import styles from './operation-entry.module.css';
import { SchemaFields, SchemaName } from './schema-fields';

export function OperationEntry({ path, method, operation }: { path: string; method: string; operation: ApiOperation }) {
  const { summary, description, parameters = [], requestBody, responses, security } = operation;
  const body = requestBody && Object.entries(requestBody.content)[0];
  return (
    <details className={styles.entry} id={operation.operationId}>
      <summary className={styles.line}>
        <span className={classNames(styles.method, styles[method])}>{method.toUpperCase()}</span>
        <code className={styles.path}>{path}</code>
        <span className={styles.what}>{summary}</span>
      </summary>
      <div className={styles.body}>
        {description && <p>{description}</p>}
        {security?.length === 0 && <p>Needs no token.</p>}
        {parameters.length > 0 && <Parameters parameters={parameters} />}
        {body && (
          <>
            <h3>Body</h3>
            <p className={styles.type}>
              {body[0]} <SchemaName schema={body[1].schema} />
            </p>
            {body[1].schema && <SchemaFields schema={body[1].schema} />}
          </>
        )}
        <h3>Answers</h3>
        <dl className={styles.answers}>
          {Object.entries(responses).map(([status, { description: says, content }]) => {
            const answer = content && Object.entries(content)[0];
            return (
              <div key={status}>
                <dt className={status < '400' ? styles.good : styles.bad}>{status}</dt>
                <dd>
                  <Coded text={says} />{' '}
                  {answer && (
                    <span className={styles.type}>
                      {answer[0]} <SchemaName schema={answer[1].schema} />
                    </span>
                  )}
                  {status < '400' && answer?.[1].schema && !answer[1].schema.$ref && (
                    <SchemaFields schema={answer[1].schema} />
                  )}
                </dd>
              </div>
            );
          })}
        </dl>
      </div>
    </details>
  );
}

/** Text in which backticks stand for code. */
function Coded({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}

function Parameters({ parameters }: { parameters: ApiParameter[] }) {
  return (
    <>
      <h3>Parameters</h3>
      <dl className={styles.answers}>
        {parameters.map(({ name, in: where, required, description, schema }) => (
          <div key={`${where} ${name}`}>
            <dt>
              {name}
              {required && where !== 'path' && <span className={styles.required}> required</span>}
            </dt>
            <dd>
              <span className={styles.type}>
                {where}, {schemaInWords(schema)}
                {schema && boundsInWords(schema).map((bound) => `, ${bound}`)}
              </span>{' '}
              {description}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
