import { Check } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { DropdownMenu as RadixMenu } from 'radix-ui';
import { classNames } from './classNames.ts';
import { useCloseOverlayOnBack } from './useCloseOverlayOnBack.ts';
import { useTexts } from '../i18n/texts.ts';

export interface DropdownMenuProps {
  /** Trigger: a Button or IconButton (with `plain`). */
  trigger: ReactNode;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'bottom' | 'left' | 'right';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

const itemClasses =
  'flex min-h-9 pointer-coarse:min-h-11 cursor-default items-center gap-2.5 rounded-[6px] px-2.5 text-14 outline-none select-none data-[disabled]:opacity-45 [&_svg]:size-[18px] [&_svg]:shrink-0';

/** Menu beside its button. On phones, a sheet at the lower edge (menuSheet.css). */
export function DropdownMenu({
  trigger,
  align = 'end',
  side = 'bottom',
  open,
  onOpenChange,
  children,
}: DropdownMenuProps) {
  const { i18n } = useTexts();
  const [openItself, setOpenItself] = useState(false);
  const shown = open ?? openItself;
  const change = (next: boolean): void => {
    setOpenItself(next);
    onOpenChange?.(next);
  };
  useCloseOverlayOnBack(shown, () => change(false));
  return (
    <RadixMenu.Root open={shown} onOpenChange={change} modal={false} dir={i18n.dir()}>
      <RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
      <RadixMenu.Portal>
        <div>
          <div data-sheet-scrim="" />
          <RadixMenu.Content
            align={align}
            side={side}
            sideOffset={6}
            collisionPadding={8}
            data-sheet="menu"
            className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 origin-(--radix-dropdown-menu-content-transform-origin) animate-pop-in overflow-y-auto rounded-card border border-line bg-overlay p-1 text-ink shadow-overlay"
          >
            {children}
          </RadixMenu.Content>
        </div>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
}

export interface MenuItemProps {
  icon?: ReactNode;
  /** True for actions that cannot be undone, shown in red. */
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, danger, disabled, onSelect, children }: MenuItemProps) {
  return (
    <RadixMenu.Item
      disabled={disabled}
      onSelect={onSelect}
      className={classNames(
        itemClasses,
        danger ? 'text-danger-text data-highlighted:bg-danger-subtle' : 'data-highlighted:bg-hover',
      )}
    >
      {icon}
      <span className="min-w-0 flex-1">{children}</span>
    </RadixMenu.Item>
  );
}

/** Item of a listed menu, a line between items, or nothing. */
export type MenuEntry = (Omit<MenuItemProps, 'children'> & { label: string }) | 'line' | false;

export function MenuItems({ entries }: { entries: readonly MenuEntry[] }) {
  return entries.map((entry, index) => {
    if (entry === 'line') return <MenuSeparator key={index} />;
    if (!entry) return null;
    const { label, ...item } = entry;
    return (
      <MenuItem key={label} {...item}>
        {label}
      </MenuItem>
    );
  });
}

/** Position of a menu on the screen, and the element that gets the focus back. */
export interface MenuPlace {
  x: number;
  y: number;
  origin: HTMLElement;
}

/** Menu of what is at a place on the screen, such as a row of a list. */
export function ContextMenu(props: { label: string; place: MenuPlace; onClose: () => void; children: ReactNode }) {
  const { label, place, onClose, children } = props;
  return (
    <DropdownMenu
      open
      align="start"
      onOpenChange={(open) => {
        if (open) return;
        onClose();
        // Runs after the menu has focused its own anchor, which is gone by then.
        requestAnimationFrame(() => {
          const taken = document.activeElement !== null && document.activeElement !== document.body;
          if (!taken && place.origin.isConnected) place.origin.focus({ preventScroll: true });
        });
      }}
      trigger={
        <button
          type="button"
          tabIndex={-1}
          aria-label={label}
          className="pointer-events-none fixed size-px opacity-0"
          style={{ left: place.x, top: place.y }}
        />
      }
    >
      {children}
    </DropdownMenu>
  );
}

interface MenuOverButtonProps extends Pick<DropdownMenuProps, 'side' | 'children'> {
  onClose: () => void;
}

/** Menu that loads after its button, and opens over it (`useMenuButton`). */
export function MenuOverButton({ onClose, ...props }: MenuOverButtonProps) {
  return (
    <DropdownMenu
      {...props}
      open
      onOpenChange={onClose}
      align="start"
      trigger={<span aria-hidden="true" className="pointer-events-none absolute inset-0" />}
    />
  );
}

export interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: { value: Value; label: ReactNode; icon?: ReactNode }[];
}

/** Choice among options, with a tick at the chosen one. */
export function MenuChoice<Value extends string>({ label, value, onValueChange, options }: MenuChoiceProps<Value>) {
  return (
    <RadixMenu.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(chosen) => {
        const option = options.find((candidate) => candidate.value === chosen);
        if (option) onValueChange(option.value);
      }}
    >
      {options.map((option) => (
        <RadixMenu.RadioItem
          key={option.value}
          value={option.value}
          className={classNames(itemClasses, 'data-highlighted:bg-hover')}
        >
          {option.icon}
          <span className="min-w-0 flex-1">{option.label}</span>
          <RadixMenu.ItemIndicator>
            <Check aria-hidden="true" className="text-accent-text" />
          </RadixMenu.ItemIndicator>
        </RadixMenu.RadioItem>
      ))}
    </RadixMenu.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <RadixMenu.Label className="px-2.5 py-1.5 text-12 font-medium text-muted">{children}</RadixMenu.Label>;
}

export function MenuSeparator() {
  return <RadixMenu.Separator className="mx-1 my-1 h-px bg-line" />;
}
