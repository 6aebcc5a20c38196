/** What each single key of a change block does (`shortcut-list.ts` names them). They act only while the focus is inside it. */

export interface ReviewActions {
  toggleViewed: (path: string) => void;
  expandAll: () => void;
  collapseAll: () => void;
}

/** Whether a key belongs to what has the focus (somebody types) or to the browser (a modifier is held). */
function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const target = event.target as HTMLElement;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Does what `event` asks of the block; whether it asked for anything. */
export function onReviewKey(block: HTMLElement, event: KeyboardEvent, actions: ReviewActions): boolean {
  const target = event.target as HTMLElement;
  if (event.key === 'Escape') return backToFile(target);
  // A checkbox is no place for typing; single keys stay keys there.
  const checkbox = target instanceof HTMLInputElement && target.type === 'checkbox';
  if (isTaken(event) && !(checkbox && !event.ctrlKey && !event.metaKey && !event.altKey)) return false;
  switch (event.key) {
    case 'j':
      return step(rowsOf(block), target, 1);
    case 'k':
      return step(rowsOf(block), target, -1);
    case 'n':
      return step(changesOf(block), target, 1);
    case 'p':
      return step(changesOf(block), target, -1);
    case 'o': {
      const row = rowOf(target);
      row?.click();
      return row !== null;
    }
    case 'v': {
      const path = rowOf(target)?.dataset.row;
      if (path === undefined || path.endsWith('/')) return false;
      actions.toggleViewed(path);
      return true;
    }
    case 'f': {
      const field = block.querySelector<HTMLElement>('[data-filter]');
      field?.focus();
      return field !== null;
    }
    case ';':
      actions.expandAll();
      return true;
    case ':':
      actions.collapseAll();
      return true;
    default:
      return false;
  }
}

function rowsOf(block: HTMLElement): HTMLElement[] {
  return [...block.querySelectorAll<HTMLElement>('button[data-row]')];
}

/** The first line of each run of changed lines that is in the document. */
function changesOf(block: HTMLElement): HTMLElement[] {
  const isChanged = (row: Element | null) => row?.querySelector('.diff-gutter-insert, .diff-gutter-delete') != null;
  return [...block.querySelectorAll<HTMLElement>('tr.diff-line')].filter(
    (row) => isChanged(row) && !isChanged(row.previousElementSibling),
  );
}

/** The button of the file in which `element` stands. */
function rowOf(element: Element): HTMLElement | null {
  return (
    element.closest<HTMLElement>('button[data-row]') ??
    element.closest('li')?.querySelector<HTMLElement>('button[data-row]') ??
    null
  );
}

/** Moves the focus to the next of `stops` from `target`, in the order of the document. */
function step(stops: HTMLElement[], target: HTMLElement, by: 1 | -1): boolean {
  const after = (stop: HTMLElement) => {
    const place = target.compareDocumentPosition(stop);
    return (place & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !target.contains(stop);
  };
  const before = (stop: HTMLElement) => (target.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  const next = by === 1 ? stops.find(after) : stops.findLast((stop) => before(stop) && !stop.contains(target));
  if (!next) return stops.length > 0;
  if (next.tagName === 'TR') next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: next.tagName === 'TR' ? 'center' : 'nearest' });
  return true;
}

/** From inside a patch to the button that opened it. */
function backToFile(target: HTMLElement): boolean {
  if (target.closest('button[data-row], dialog, [role=menu]')) return false;
  const row = target.closest('[role=group]')?.closest('li')?.querySelector<HTMLElement>('button[data-row]');
  row?.focus();
  return row != null;
}
