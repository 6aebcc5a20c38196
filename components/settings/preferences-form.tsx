/** The look and the keys, each taking effect as it is chosen. */
'use client';

import { useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Field } from '@/components/ui/field';
import { DEFAULT_PREFERENCES, editorUrlProblem, type Preferences } from '@/lib/client/preferences';
import { usePreferences } from '@/lib/client/use-preferences';
import styles from './preferences-form.module.css';

const THEMES: [Preferences['theme'], string][] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];
const PALETTES: [Preferences['palette'], string][] = [
  ['standard', 'Green and red'],
  ['colour-blind', 'Blue and orange'],
];
const EDITORS: [string, string][] = [
  ['VS Code', DEFAULT_PREFERENCES.editorUrl],
  ['Cursor', 'cursor://file{path}:{line}'],
  ['Zed', 'zed://file{path}:{line}'],
  ['JetBrains', 'idea://open?file={path}&line={line}'],
  ['None', ''],
];

export function PreferencesForm() {
  const { preferences, choose } = usePreferences();
  return (
    <div className={styles.form}>
      <Choices
        legend="Theme"
        name="theme"
        options={THEMES}
        chosen={preferences.theme}
        choose={(theme) => choose({ theme })}
      />
      <Choices
        legend="Colours of added and removed lines"
        name="palette"
        options={PALETTES}
        chosen={preferences.palette}
        choose={(palette) => choose({ palette })}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={preferences.shortcuts}
          onChange={(event) => choose({ shortcuts: event.target.checked })}
        />
        <span>
          Single keys are shortcuts
          <span className={styles.hint}>Switch it off if you speak to your computer, or press keys by accident.</span>
        </span>
      </label>
      <EditorField key={preferences.editorUrl} current={preferences.editorUrl} choose={choose} />
    </div>
  );
}

function Choices<Value extends string>({
  legend,
  name,
  options,
  chosen,
  choose,
}: {
  legend: string;
  name: string;
  options: [Value, string][];
  chosen: Value;
  choose: (value: Value) => void;
}) {
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value} className={classNames(styles.choice, value === chosen && styles.chosen)}>
          <input type="radio" name={name} checked={value === chosen} onChange={() => choose(value)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function EditorField({ current, choose }: { current: string; choose: (chosen: Partial<Preferences>) => void }) {
  const [url, setUrl] = useState(current);
  const problem = editorUrlProblem(url);
  return (
    <Field
      label="Open in editor"
      error={problem}
      hint={
        <>
          The link that opens a file: <code>{'{path}'}</code> is its absolute path, <code>{'{line}'}</code> the line.
          Empty: no link.
        </>
      }
    >
      {(field) => (
        <div className={styles.editor}>
          <input
            {...field}
            value={url}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setUrl(event.target.value)}
            onBlur={() => {
              if (problem === null && url !== current) choose({ editorUrl: url });
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && problem === null) choose({ editorUrl: url });
            }}
          />
          {EDITORS.map(([name, value]) => (
            <button
              key={name}
              type="button"
              className={classNames(styles.preset, value === current && styles.chosen)}
              aria-pressed={value === current}
              onClick={() => choose({ editorUrl: value })}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </Field>
  );
}
