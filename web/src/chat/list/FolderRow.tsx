import type { ReactNode } from 'react';

interface FolderRowProps {
  icon: ReactNode;
  title: string;
  onOpen: () => void;
  /** Counts at the end. */
  children: ReactNode;
}

/** Row above the conversations that opens further ones. */
export function FolderRow({ icon, title, onOpen, children }: FolderRowProps) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="mx-2 flex h-11 shrink-0 items-center gap-3 rounded-card px-2.5 text-start text-14 font-medium text-muted hover:bg-hover hover:text-ink [&_svg]:size-[18px]"
    >
      <span aria-hidden="true" className="flex w-12 justify-center">
        {icon}
      </span>
      <span className="min-w-0 flex-1 truncate">{title}</span>
      {children}
    </button>
  );
}
