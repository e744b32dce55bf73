import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from './classNames.ts';

export interface PlainIconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  label: string;
  icon: ReactNode;
  size?: 'small' | 'medium';
  kind?: 'quiet' | 'solid' | 'danger';
  ref?: Ref<HTMLButtonElement>;
}

const kinds = {
  quiet:
    'text-muted hover:bg-hover hover:text-ink active:bg-pressed aria-expanded:bg-hover aria-pressed:text-accent-text',
  solid: 'bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-pressed',
  danger: 'text-danger-text hover:bg-danger-subtle',
};

/** Square icon button without text or tooltip, and so without the tooltip's library. */
export function PlainIconButton({
  label,
  icon,
  size = 'medium',
  kind = 'quiet',
  className,
  type = 'button',
  ...rest
}: PlainIconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      className={classNames(
        'tap inline-flex shrink-0 items-center justify-center rounded-control transition-colors duration-150',
        'disabled:pointer-events-none disabled:opacity-45',
        size === 'small' ? 'size-8 [&_svg]:size-[18px]' : 'size-10 [&_svg]:size-5',
        kinds[kind],
        className,
      )}
    >
      {icon}
    </button>
  );
}
