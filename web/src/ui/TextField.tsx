import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';
import { classNames } from './classNames.ts';
import { Field, inputClasses, type FieldFrameProps } from './field.tsx';

export interface TextFieldProps extends FieldFrameProps, Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> {
  /** Icon inside, at the start. */
  icon?: ReactNode;
  /** Content inside, at the end: a counter, a clear button. */
  trailing?: ReactNode;
  size?: 'medium' | 'large';
  /** Classes for the input itself. `className` applies to the frame. */
  inputClassName?: string;
  ref?: Ref<HTMLInputElement>;
}

export function TextField({
  label,
  hideLabel,
  hint,
  error,
  steady,
  icon,
  trailing,
  size = 'medium',
  id,
  className,
  inputClassName,
  ...rest
}: TextFieldProps) {
  const generated = useId();
  const fieldId = id ?? generated;
  return (
    <Field
      id={fieldId}
      label={label}
      hideLabel={hideLabel}
      hint={hint}
      error={error}
      steady={steady}
      className={className}
    >
      <div className="relative">
        {icon !== undefined && (
          <span className="pointer-events-none absolute inset-y-0 start-0 flex w-10 items-center justify-center text-muted [&_svg]:size-[18px]">
            {icon}
          </span>
        )}
        <input
          {...rest}
          id={fieldId}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${fieldId}-message` : undefined}
          className={classNames(
            inputClasses,
            size === 'large' ? 'h-12 px-4 text-16' : 'h-10 px-3 pointer-coarse:h-11',
            icon !== undefined && 'ps-10',
            trailing !== undefined && 'pe-10',
            inputClassName,
          )}
        />
        {trailing !== undefined && (
          <span className="absolute inset-y-0 end-0 flex w-10 items-center justify-center text-13 text-muted">
            {trailing}
          </span>
        )}
      </div>
    </Field>
  );
}
