import { limits } from '@nolo/rules';
import { AtSign } from 'lucide-react';
import type { Ref } from 'react';
import type { FieldFrameProps } from './field.tsx';
import { TextField } from './TextField.tsx';

export interface UsernameFieldProps extends FieldFrameProps {
  value: string;
  onValueChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
}

/** Field for a username. A leading @ is harmless. */
export function UsernameField({ onValueChange, ...rest }: UsernameFieldProps) {
  return (
    <TextField
      {...rest}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      icon={<AtSign aria-hidden="true" />}
      maxLength={limits.usernameLengthMax + 1}
      onChange={(event) => onValueChange(event.target.value)}
    />
  );
}
