import { roomCodeLength } from '@nolo/rules';
import type { Ref } from 'react';
import { TextField } from './TextField.tsx';

export interface RoomCodeFieldProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  /** Text below the field, for example that an invite link was pasted. */
  hint: string | null;
  error: string | null;
  /** Code parsed from typed or pasted input. */
  value: string;
  onChange: (typed: string) => void;
}

/** Field for the code of a group or a meeting, or a link that contains one. */
export function RoomCodeField({ onChange, ...field }: RoomCodeFieldProps) {
  return (
    <TextField
      {...field}
      size="large"
      dir="ltr"
      autoComplete="off"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="go"
      // A pasted link is longer than a code, so the code's length does not apply.
      maxLength={500}
      inputClassName={
        field.value.length <= roomCodeLength
          ? 'tabular font-semibold tracking-[0.2em] uppercase placeholder:font-normal'
          : undefined
      }
      placeholder="ABC234"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
