import type { ReactNode } from 'react';
import { MenuItem, MenuOverButton } from './DropdownMenu.tsx';

export interface MenuAction {
  label: string;
  icon: ReactNode;
  onSelect: () => void;
}

/** Menu of an ActionMenuButton. It opens over the button, which loads earlier. */
export function ActionMenu({ actions, onClose }: { actions: readonly MenuAction[]; onClose: () => void }) {
  return (
    <MenuOverButton onClose={onClose}>
      {actions.map(({ label, icon, onSelect }) => (
        <MenuItem key={label} icon={icon} onSelect={onSelect}>
          {label}
        </MenuItem>
      ))}
    </MenuOverButton>
  );
}
