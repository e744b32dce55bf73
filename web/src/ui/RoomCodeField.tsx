import { roomCodeLength } from '@nolo/rules';
import type { Ref } from 'react';
import { TextField } from './TextField.tsx';

export interface RoomCodeFieldProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  /** Said below it, such as that an invite link was pasted. */
  hint: string | null;
  error: string | null;
  /** As it was read from what was typed or pasted. */
  value: string;
  onChange: (typed: string) => void;
}

/** Takes the code of a group or a meeting, or a link with one in it. */
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
      // A link may be pasted, so the length of a code is no limit.
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
