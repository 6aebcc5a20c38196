/** The peer: @pierre/diffs, virtualised, coloured by its worker pool, opened by a click like ours. */
import { PatchDiff, Virtualizer, WorkerPoolContextProvider } from '@pierre/diffs/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const { patch, coloured } = new Proxy({}, { get: (_, name) => new URLSearchParams(location.search).get(name) });
const poolOptions = { workerFactory: () => new Worker('/pierre-worker.js', { type: 'module' }), poolSize: 1 };
const highlighterOptions = { theme: { light: 'pierre-light', dark: 'pierre-dark' }, langs: ['typescript'] };

function App() {
  const [text, setText] = useState(null);
  const body = (
    <Virtualizer className="scroller">
      <button type="button" id="open" onClick={async () => setText(await (await fetch(patch)).text())}>
        Open
      </button>
      {text !== null && <PatchDiff patch={text} options={{ diffStyle: 'unified' }} disableWorkerPool={!coloured} />}
    </Virtualizer>
  );
  return (
    <WorkerPoolContextProvider poolOptions={poolOptions} highlighterOptions={highlighterOptions}>
      {body}
    </WorkerPoolContextProvider>
  );
}

createRoot(document.getElementById('root')).render(<App />);
