/** A key shown to eyes beside what it does; the name of the control says the rest. */
export function KeyHint({ children, className }: { children: string; className?: string | undefined }) {
  return (
    <span aria-hidden="true">
      <kbd className={className}>{children}</kbd>
    </span>
  );
}
