import type { ButtonHTMLAttributes, AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from './classNames.ts';
import { Spinner } from './Spinner.tsx';

type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';
type ButtonSize = 'small' | 'medium' | 'large';

interface ButtonAppearance {
  kind?: ButtonKind;
  size?: ButtonSize;
  /** True to take the full width of the container. */
  wide?: boolean;
  /** Icon before the label, for example from lucide. */
  icon?: ReactNode;
}

const kinds: Record<ButtonKind, string> = {
  primary:
    'bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-pressed shadow-[inset_0_1px_0_rgb(255_255_255/0.22)]',
  secondary:
    'bg-raised text-ink border border-line hover:bg-[color-mix(in_srgb,var(--nolo-raised),var(--nolo-ink)_4%)] active:bg-[color-mix(in_srgb,var(--nolo-raised),var(--nolo-ink)_8%)]',
  quiet: 'text-ink hover:bg-hover active:bg-pressed',
  danger: 'bg-danger text-on-danger hover:bg-danger-hover active:bg-danger-hover',
};
const sizes: Record<ButtonSize, string> = {
  small: 'h-8 px-3 text-13 gap-1.5 [&_svg]:size-4',
  medium: 'h-10 px-4 text-14 gap-2 [&_svg]:size-[18px]',
  large: 'h-12 px-6 text-16 gap-2.5 [&_svg]:size-5',
};

/** Returns the classes of a button, for other elements that must look like one. */
export function buttonClasses({ kind = 'primary', size = 'medium', wide }: ButtonAppearance = {}): string {
  return classNames(
    'tap inline-flex max-w-full shrink-0 items-center justify-center rounded-control font-medium whitespace-nowrap select-none [&_svg]:shrink-0',
    'transition-colors duration-150 ease-out',
    'disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50',
    kinds[kind],
    sizes[size],
    wide && 'w-full',
  );
}

export interface ButtonProps extends ButtonAppearance, ButtonHTMLAttributes<HTMLButtonElement> {
  /** True to show a spinner and ignore presses. The button stays focusable and announces that it is busy. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  kind,
  size,
  wide,
  icon,
  busy = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      className={classNames(buttonClasses({ kind, size, wide }), className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

export interface ButtonLinkProps extends ButtonAppearance, AnchorHTMLAttributes<HTMLAnchorElement> {}

/** Plain link that looks like a button, for navigation that leaves the app, such as /api/login. */
export function ButtonLink({ kind, size, wide, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} className={classNames(buttonClasses({ kind, size, wide }), className)}>
      {icon}
      {children}
    </a>
  );
}
