/** What an agent lets the user choose: its options, or where it has none its modes and models. */
import type { AgentChoice } from '@/lib/domain/conversation';
import { isRecord } from './acp-content';

/** Values kept of one choice: opencode lists every model of every provider. */
const MAX_VALUES = 1_000;

/** The request that makes a choice. */
export type ChoiceRequest = 'session/set_config_option' | 'session/set_mode' | 'session/set_model';

export interface Choice extends AgentChoice {
  request: ChoiceRequest;
}

/** The choices in the answer to `session/new`, `session/load` or `session/resume`. Options win over modes and models. */
export function choicesOf(answer: unknown): Choice[] {
  if (!isRecord(answer)) return [];
  const options = configChoices(answer.configOptions);
  const categories = new Set(options.map((choice) => choice.category));
  const modes = isRecord(answer.modes) ? answer.modes : {};
  const models = isRecord(answer.models) ? answer.models : {};
  return [
    ...options,
    ...(categories.has('mode')
      ? []
      : listed('mode', 'Mode', 'session/set_mode', modes.currentModeId, modes.availableModes, 'id')),
    ...(categories.has('model')
      ? []
      : listed('model', 'Model', 'session/set_model', models.currentModelId, models.availableModels, 'modelId')),
  ];
}

/** The choices in `configOptions`, as an answer or a `config_option_update` brings them. */
export function configChoices(raw: unknown): Choice[] {
  if (!Array.isArray(raw)) return [];
  const choices: Choice[] = [];
  for (const option of raw.filter(isRecord)) {
    const { id, name, category, currentValue } = option;
    if (typeof id !== 'string' || option.type !== 'select' || !Array.isArray(option.options)) continue;
    const flat = option.options.flatMap((entry: unknown) =>
      isRecord(entry) && Array.isArray(entry.options) ? entry.options : [entry],
    );
    const values = valuesOf(flat, 'value');
    if (values.length === 0) continue;
    choices.push({
      id,
      name: typeof name === 'string' ? name : id,
      category: category === 'mode' || category === 'model' ? category : 'other',
      current: typeof currentValue === 'string' ? currentValue : '',
      values,
      request: 'session/set_config_option',
    });
  }
  return choices;
}

/** `choices` after one of them was set, by us or by the agent. */
export function withChosen(choices: Choice[], isMeant: (choice: Choice) => boolean, value: string): Choice[] {
  return choices.map((choice) => (isMeant(choice) ? { ...choice, current: value } : choice));
}

function listed(
  category: 'mode' | 'model',
  name: string,
  request: ChoiceRequest,
  current: unknown,
  available: unknown,
  key: string,
): Choice[] {
  const values = valuesOf(Array.isArray(available) ? available : [], key);
  if (values.length === 0) return [];
  return [{ id: category, name, category, current: typeof current === 'string' ? current : '', values, request }];
}

function valuesOf(entries: unknown[], key: string): AgentChoice['values'] {
  return entries
    .filter(isRecord)
    .slice(0, MAX_VALUES)
    .flatMap((entry) => {
      const value = entry[key];
      if (typeof value !== 'string') return [];
      return [
        {
          value,
          name: typeof entry.name === 'string' ? entry.name : value,
          description: typeof entry.description === 'string' ? entry.description : null,
        },
      ];
    });
}
