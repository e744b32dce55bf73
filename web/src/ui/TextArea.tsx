import { useId, type Ref, type TextareaHTMLAttributes } from 'react';
import { classNames } from './classNames.ts';
import { Field, inputClasses, type FieldFrameProps } from './field.tsx';

export interface TextAreaProps extends FieldFrameProps, TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>;
}

/** Multi-line text field, which grows with its content if the browser supports it. */
export function TextArea({ label, hideLabel, hint, error, id, className, rows = 3, ...rest }: TextAreaProps) {
  const generated = useId();
  const fieldId = id ?? generated;
  return (
    <Field id={fieldId} label={label} hideLabel={hideLabel} hint={hint} error={error} className={className}>
      <textarea
        {...rest}
        id={fieldId}
        rows={rows}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${fieldId}-message` : undefined}
        className={classNames(inputClasses, 'block max-h-48 min-h-20 field-sizing-content resize-none px-3 py-2')}
      />
    </Field>
  );
}
