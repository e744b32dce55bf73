import type { ReactNode } from 'react';

interface ActionTileProps {
  icon: ReactNode;
  label: string;
  onClick: () => void;
}

/** One of a line of actions: a picture over its name, and where the line (a container) is narrow the picture alone. */
export function ActionTile({ icon, label, onClick }: ActionTileProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="tap flex min-h-10 min-w-0 flex-1 flex-col items-center justify-center gap-1 rounded-control px-1 py-1.5 text-12 font-medium text-muted transition-colors duration-150 hover:bg-hover hover:text-ink active:bg-pressed [&_svg]:size-5 [&_svg]:shrink-0"
    >
      {icon}
      <span aria-hidden="true" className="hidden max-w-full text-center leading-tight wrap-anywhere @[25rem]:block">
        {label}
      </span>
    </button>
  );
}
