/** The peer: a table made by hand, every row at once, no colours, no marks. */
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const patch = new URLSearchParams(location.search).get('patch');

function rowsOf(text) {
  const rows = [];
  let old = 0;
  let young = 0;
  let inside = false;
  for (const line of text.split('\n')) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (header) {
      [old, young, inside] = [Number(header[1]), Number(header[2]), true];
      rows.push({ kind: 'hunk', text: line });
    } else if (inside && line[0] === '+') rows.push({ kind: 'added', young: young++, text: line.slice(1) });
    else if (inside && line[0] === '-') rows.push({ kind: 'removed', old: old++, text: line.slice(1) });
    else if (inside && line[0] === ' ') rows.push({ kind: 'context', old: old++, young: young++, text: line.slice(1) });
  }
  return rows;
}

function App() {
  const [rows, setRows] = useState(null);
  return (
    <>
      <button type="button" id="open" onClick={async () => setRows(rowsOf(await (await fetch(patch)).text()))}>
        Open
      </button>
      {rows && (
        <table>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of one immutable patch
              <tr key={at} className={row.kind}>
                <td>{row.old}</td>
                <td>{row.young}</td>
                <td>{row.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

createRoot(document.getElementById('root')).render(<App />);
