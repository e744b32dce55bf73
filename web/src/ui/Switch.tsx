import { useId, type ReactNode } from 'react';
import { Switch as RadixSwitch } from 'radix-ui';
import { classNames } from './classNames.ts';

export interface SwitchProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Element between label and switch, for example a Badge "In development". */
  badge?: ReactNode;
  checked: boolean;
  onCheckedChange?: (checked: boolean) => void;
  /** True if locked: visible, explained by the hint, and unchangeable. */
  disabled?: boolean;
  className?: string;
}

/** Whole settings row: text at the start, switch at the end. The text is part of the target. */
export function Switch({ label, hint, badge, checked, onCheckedChange, disabled, className }: SwitchProps) {
  const id = useId();
  return (
    <div className={classNames('flex min-h-11 items-center justify-between gap-4 py-1.5', className)}>
      <label htmlFor={id} className={classNames('min-w-0 flex-1', !disabled && 'cursor-pointer')}>
        <span className="flex flex-wrap items-center gap-2 text-14 font-medium text-ink">
          {label}
          {badge}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="mt-0.5 block text-13 text-muted">
            {hint}
          </span>
        )}
      </label>
      <RadixSwitch.Root
        id={id}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="relative h-6 w-10 shrink-0 rounded-full bg-line-strong transition-colors duration-150 before:absolute before:-inset-2.5 disabled:opacity-45 data-[state=checked]:bg-accent"
      >
        <RadixSwitch.Thumb className="absolute start-0.5 top-0.5 block size-5 rounded-full bg-[#fff] shadow-[0_1px_3px_rgb(0_0_0/0.3)] transition-transform duration-150 ease-out data-[state=checked]:translate-x-[calc(1rem*var(--nolo-inline-sign))]" />
      </RadixSwitch.Root>
    </div>
  );
}
