import type { ReactNode } from 'react';

interface IconRowProps {
  icon: ReactNode;
  title: ReactNode;
  text: ReactNode;
  /** Smaller text under the other. */
  below?: ReactNode;
  action?: ReactNode;
}

/** Row of a list with an icon, two or three lines of text, and an action. */
export function IconRow({ icon, title, text, below, action }: IconRowProps) {
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 py-1">
      <span
        aria-hidden="true"
        className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted [&_svg]:size-[18px]"
      >
        {icon}
      </span>
      <span className="min-w-36 flex-1">
        <span className="block text-14 font-medium">{title}</span>
        <span className="tabular block text-13 wrap-anywhere text-muted">{text}</span>
        {below !== undefined && <span className="block text-12 text-muted">{below}</span>}
      </span>
      {/* Aligned to the end on its own line if it does not fit next to the text. */}
      {action && <span className="ms-auto">{action}</span>}
    </li>
  );
}
