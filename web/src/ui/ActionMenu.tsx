import type { ReactNode } from 'react';
import { DropdownMenu, MenuItem } from './DropdownMenu.tsx';

export interface MenuAction {
  label: string;
  icon: ReactNode;
  onSelect: () => void;
}

/** Menu of an ActionMenuButton. It opens over the button, which loads earlier. */
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
