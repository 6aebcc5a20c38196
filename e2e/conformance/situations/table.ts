/** The whole table, in the order in which it is run and read. */
import type { Section, Situation } from '../situation';
import { gitSettings } from './git-settings';
import { gitStates } from './git-states';
import { linksAndNesting } from './links-and-nesting';
import { names } from './names';
import { ordinary } from './ordinary';
import { plainFolders } from './plain-folders';
import { runs } from './runs';

const number = ({ id }: Situation) => Number(/\d+/.exec(id)?.[0]);

export const SECTIONS: readonly Section[] = [
  { id: '3a', title: 'Ordinary truth', situations: ordinary },
  { id: '3b', title: 'Links, nested repositories, ignored files', situations: linksAndNesting },
  { id: '3c', title: 'Git states', situations: [...gitStates, ...gitSettings].sort((a, b) => number(a) - number(b)) },
  { id: '3d', title: 'Names', situations: names },
  { id: '3e', title: 'Folders without git', situations: plainFolders },
  { id: '3f', title: 'Runs, time, process', situations: runs },
];
