/** Which groups of one patch are in the document: those near the window, and as many more as is good for it. */
import { startTransition } from 'react';
import { whenIdle } from './when-idle';

/** Distance from the window at which a group is mounted, in pixels. */
const NEAR_PX = 800;
/** Groups of a very long patch that stay mounted; the longest unseen leave first. */
const KEPT_GROUPS = 48;
/** Rows up to which everything is mounted at once. */
const ROWS_AT_ONCE = 400;
/** Rows up to which the rest is mounted while the page is idle, so that the browser's own search sees it. */
export const ROWS_WHEN_IDLE = 5000;

/** Milliseconds that a group near the window waits for its colours, so that its rows are drawn once and not twice. */
const COLOURS_MS = 100;

/** What a group's place can be told. */
export interface Place {
  element: Element;
  setMounted: (mounted: boolean) => void;
  /** Resolves when the colours of its rows are known, or will not be. */
  prepare: () => Promise<unknown>;
}

/** A stretch of pixels, from the top of the patch. */
export interface Span {
  from: number;
  to: number;
}

export class GroupMounts {
  private readonly groups = new Map<number, Place>();
  private readonly indices = new WeakMap<Element, number>();
  /** Mounted groups, the longest unseen first. */
  private readonly mounted = new Set<number>();
  private readonly near = new Set<number>();
  private readonly first = new Set<number>();
  private readonly groupCount: number;
  private observer: IntersectionObserver | null = null;
  private cancelIdle: (() => void) | null = null;
  /** The first group has its colours; until then nothing is mounted but what is looked at. */
  private isCalm = false;

  /**
   * `heights` are those of the groups as far as they are known; `window` is what of the patch is in the window.
   */
  constructor(
    private readonly rows: number,
    heights: readonly number[],
    private readonly scroller: () => Element | null,
    window: Span,
  ) {
    this.groupCount = heights.length;
    let top = 0;
    for (const [index, height] of heights.entries()) {
      const bottom = top + height;
      if (bottom > window.from && top < window.to) this.first.add(index);
      top = bottom;
    }
  }

  /** Whether a group is there in the first paint. */
  atFirst(index: number): boolean {
    return this.first.has(index) || this.rows <= ROWS_AT_ONCE;
  }

  /** Begins to watch a group's place; call the answer when it leaves. */
  watch(index: number, place: Place): () => void {
    const { element } = place;
    this.groups.set(index, place);
    this.indices.set(element, index);
    if (this.atFirst(index)) this.mounted.add(index);
    this.observer ??= this.startObserver();
    this.observer.observe(element);
    return () => {
      this.observer?.unobserve(element);
      this.groups.delete(index);
      this.mounted.delete(index);
      this.near.delete(index);
      if (this.groups.size > 0) return;
      this.observer?.disconnect();
      this.observer = null;
      this.cancelIdle?.();
      this.cancelIdle = null;
    };
  }

  /** Mounts a group now, for a link or a search that leads into it. */
  mount(index: number): void {
    this.show(index);
  }

  private show(index: number): void {
    this.mounted.delete(index);
    this.mounted.add(index);
    this.groups.get(index)?.setMounted(true);
    if (this.rows > ROWS_WHEN_IDLE) this.dropUnseen();
  }

  /** Mounts a group that nobody sees yet, with its colours where they come in time; unless `wanted` says otherwise then. */
  private async showColoured(index: number, wanted: () => boolean): Promise<void> {
    const colours = this.groups.get(index)?.prepare();
    await Promise.race([colours, new Promise((resolve) => setTimeout(resolve, COLOURS_MS))]);
    if (wanted() && !this.mounted.has(index)) startTransition(() => this.show(index));
  }

  private comeNear(index: number): void {
    void this.showColoured(index, () => this.near.has(index));
  }

  private dropUnseen(): void {
    for (const index of this.mounted) {
      if (this.mounted.size <= KEPT_GROUPS) return;
      if (this.near.has(index)) continue;
      const group = this.groups.get(index);
      if (group && holdsSelection(group.element)) continue;
      this.mounted.delete(index);
      if (group) startTransition(() => group.setMounted(false));
    }
  }

  private startObserver(): IntersectionObserver {
    const scroller = this.scroller();
    const root = scroller === document.scrollingElement ? null : scroller;
    return new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          const index = this.indices.get(entry.target);
          if (index === undefined) continue;
          if (!entry.isIntersecting) {
            this.near.delete(index);
            continue;
          }
          this.near.add(index);
          if (this.mounted.has(index)) {
            this.mounted.delete(index);
            this.mounted.add(index);
          } else if (isVisible(entry)) this.show(index);
          else if (this.isCalm) this.comeNear(index);
        }
      },
      { root, rootMargin: `${NEAR_PX}px 0px` },
    );
  }

  /** A mounted group has all that it will have: those near the window may follow, and the rest while the page is idle. */
  finished(): void {
    if (!this.isCalm) {
      this.isCalm = true;
      for (const index of this.near) if (!this.mounted.has(index)) this.comeNear(index);
    }
    if (this.cancelIdle !== null || this.rows <= ROWS_AT_ONCE || this.rows > ROWS_WHEN_IDLE) return;
    this.cancelIdle = whenIdle(() => {
      this.cancelIdle = null;
      const next = nextMissing(this.mounted, this.groupCount);
      if (next !== null) void this.showColoured(next, () => this.groups.has(next));
    });
  }
}

function nextMissing(mounted: ReadonlySet<number>, count: number): number | null {
  for (let index = 0; index < count; index += 1) if (!mounted.has(index)) return index;
  return null;
}

/** Whether it is in the window itself and not only near it. */
function isVisible({ boundingClientRect, rootBounds }: IntersectionObserverEntry): boolean {
  if (rootBounds === null) return false;
  return boundingClientRect.bottom > rootBounds.top + NEAR_PX && boundingClientRect.top < rootBounds.bottom - NEAR_PX;
}

function holdsSelection(element: Element): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
