import { Copy } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from './Button.tsx';
import { TextField } from './TextField.tsx';
import { classNames } from './classNames.ts';
import { useTexts } from '../i18n/texts.ts';

export interface CopyFieldProps {
  label: string;
  value: string;
  copyLabel: string;
  onCopy: () => void;
  /** True for a code that is read aloud or written down: large, letter by letter. */
  large?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** Text to share: selectable, with a copy button. */
export function CopyField({ label, value, copyLabel, onCopy, large = false, ref }: CopyFieldProps) {
  const { t } = useTexts();
  return (
    <div className="flex items-end gap-2">
      <TextField
        readOnly
        dir="ltr"
        className="min-w-0 flex-1"
        inputClassName={classNames('text-ellipsis', large && 'tabular font-semibold tracking-[0.2em]')}
        label={label}
        value={value}
        onFocus={(event) => event.target.select()}
      />
      <Button
        ref={ref}
        kind="secondary"
        aria-label={copyLabel}
        icon={<Copy aria-hidden="true" />}
        className="pointer-coarse:h-11"
        onClick={onCopy}
      >
        {t('common.copy')}
      </Button>
    </div>
  );
}
