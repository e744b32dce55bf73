import { useId, type ReactNode } from 'react';
import { classNames } from './classNames.ts';

export interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: { value: Value; label: ReactNode; icon?: ReactNode }[];
  className?: string;
}

/** Choice among a few options, all visible. Native radio buttons provide keyboard handling and semantics. */
export function Segmented<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  className,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset className={classNames('flex min-w-0 flex-wrap gap-1 rounded-card bg-sunken p-1', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            'tap relative flex min-h-9 flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-control px-1.5 text-center sm:gap-2 sm:px-3 @max-xs:px-1.5 text-13 font-medium transition-colors duration-150',
            'text-muted hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-raised [&_svg]:size-4 [&_svg]:shrink-0',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValueChange(option.value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
