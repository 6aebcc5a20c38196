/** What every key does, by place; the list that `?` shows. */

export interface ShortcutGroup {
  where: string;
  keys: { keys: string[]; does: string }[];
}

export const SHORTCUTS: readonly ShortcutGroup[] = [
  {
    where: 'Everywhere',
    keys: [
      { keys: ['?'], does: 'Show the keys' },
      { keys: ['/'], does: 'Search' },
      { keys: ['c'], does: 'New session' },
      { keys: ['Esc'], does: 'Close what is open' },
    ],
  },
  {
    where: 'Message',
    keys: [
      { keys: ['Enter'], does: 'Send, or queue while a run goes on' },
      { keys: ['Shift', 'Enter'], does: 'New line' },
      { keys: ['Esc'], does: 'Stop the run' },
      { keys: ['/'], does: 'Commands of the agent' },
      { keys: ['↑'], does: 'The last message again, where nothing is written' },
    ],
  },
  {
    where: 'Permission',
    keys: [{ keys: ['1', '…', '9'], does: 'Choose that answer' }],
  },
  {
    where: 'Changed files (with the focus in the block)',
    keys: [
      { keys: ['j', 'k'], does: 'Next, previous file' },
      { keys: ['n', 'p'], does: 'Next, previous change' },
      { keys: ['Enter', 'o'], does: 'Open or close the file' },
      { keys: ['v'], does: 'Viewed' },
      { keys: ['f'], does: 'Filter the files' },
      { keys: [';', 'Shift ;'], does: 'Open, close all files' },
      { keys: ['Esc'], does: 'Back from the patch to its file' },
    ],
  },
];
