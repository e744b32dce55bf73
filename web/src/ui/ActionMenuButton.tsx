import { ChevronDown } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import type { MenuAction } from './ActionMenu.tsx';
import { buttonClasses } from './Button.tsx';
import { classNames } from './classNames.ts';
import { lazyOverlay } from './lazyComponents.tsx';
import { useMenuButton } from './useMenuButton.ts';

/* The menu library loads when the user moves towards the button. */
const loadMenu = async () => (await import('./ActionMenu.tsx')).ActionMenu;
const ActionMenu = lazyOverlay(loadMenu);

interface ActionMenuButtonProps {
  icon: ReactNode;
  label: string;
  actions: readonly MenuAction[];
}

/** Labeled button with a menu of actions. Two of them share a line of the sidebar. */
export function ActionMenuButton({ icon, label, actions }: ActionMenuButtonProps) {
  const { open, close, buttonProps } = useMenuButton();
  return (
    <div className="relative flex max-w-full flex-[1_0_auto]">
      <button
        {...buttonProps}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        className={classNames(buttonClasses({ kind: 'secondary', wide: true }), 'gap-1.5! px-2! text-13!')}
      >
        {/* Narrow sidebars and longer languages need the space for the text. */}
        <span className="hidden @[20.5rem]:inline-flex">{icon}</span>
        <span className="min-w-0 truncate">{label}</span>
        <ChevronDown aria-hidden="true" className="size-4! text-muted" />
      </button>
      {open && (
        <Suspense>
          <ActionMenu actions={actions} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
