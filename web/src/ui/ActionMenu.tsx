import type { ReactNode } from 'react';
import { DropdownMenu, MenuItem } from './DropdownMenu.tsx';

export interface MenuAction {
  label: string;
  icon: ReactNode;
  onSelect: () => void;
}

/** What an ActionMenuButton opens. It stands over the button, which is there before this is. */
export function ActionMenu({ actions, onClose }: { actions: readonly MenuAction[]; onClose: () => void }) {
  return (
    <DropdownMenu
      open
      onOpenChange={onClose}
      align="start"
      trigger={<span aria-hidden="true" className="pointer-events-none absolute inset-0" />}
    >
      {actions.map(({ label, icon, onSelect }) => (
        <MenuItem key={label} icon={icon} onSelect={onSelect}>
          {label}
        </MenuItem>
      ))}
    </DropdownMenu>
  );
}
