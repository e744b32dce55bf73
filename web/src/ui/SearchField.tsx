import { Search, X } from 'lucide-react';
import type { InputHTMLAttributes, Ref } from 'react';
import { classNames } from './classNames.ts';
import { useTexts } from '../i18n/texts.ts';

export interface SearchFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'type'> {
  /** Accessible name, and placeholder unless another is given. */
  label: string;
  value: string;
  onValueChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
}

/** Search box. Escape first clears it, and only then reaches what is behind it. */
export function SearchField({
  label,
  value,
  onValueChange,
  placeholder = label,
  className,
  ...rest
}: SearchFieldProps) {
  const { t } = useTexts();
  return (
    <div className={classNames('relative', className)} role="search" aria-label={label}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 start-3 my-auto size-[18px] text-muted"
      />
      <input
        {...rest}
        type="search"
        // A number begins with its plus sign in interfaces of either direction.
        dir="auto"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') {
            event.stopPropagation();
            event.preventDefault();
            onValueChange('');
          } else {
            rest.onKeyDown?.(event);
          }
        }}
        className={classNames(
          'h-10 w-full rounded-control border border-transparent bg-sunken ps-10 text-ui-start text-14 text-ellipsis text-ink pointer-coarse:h-11 pointer-coarse:text-16',
          'transition-colors duration-150 focus-visible:border-focus focus-visible:bg-raised focus-visible:ring-3 focus-visible:ring-accent/30 focus-visible:outline-none',
          value === '' ? 'pe-3' : 'pe-10',
          '[&::-webkit-search-cancel-button]:appearance-none',
        )}
      />
      {value !== '' && (
        <button
          type="button"
          aria-label={t('common.clear')}
          onClick={() => onValueChange('')}
          className="absolute inset-y-0 end-1 my-auto inline-flex size-8 items-center justify-center rounded-control text-muted hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  );
}
