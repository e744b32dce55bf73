import { classNames } from './classNames.ts';

/** Logo symbol: a speech bubble whose counter is an n. Colored by currentColor and the accent. */
export function LogoIcon({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={classNames('size-8 shrink-0', className)}>
      <path
        className="fill-accent"
        d="M16 2.5c7.6 0 13.5 5.5 13.5 12.7S23.600 27.900 16 27.900c-1.500 0-2.900-.2-4.200-.6-.5-.15-1-.1-1.450.15l-4.300 2.300c-.75.4-1.600-.25-1.450-1.100l.7-3.900c.1-.55-.1-1.100-.45-1.550C3.300 21 2.500 18.200 2.500 15.200 2.500 8 8.400 2.500 16 2.500Z"
      />
      <path
        className="stroke-on-accent"
        fill="none"
        strokeWidth="3.2"
        strokeLinecap="round"
        d="M11.200 19.600v-4.300a4.800 4.800 0 0 1 9.600 0v4.300"
      />
    </svg>
  );
}

/** Symbol and name. */
export function Logo({ className }: { className?: string }) {
  return (
    <span className={classNames('inline-flex items-center gap-2.5 text-20 font-semibold tracking-tight', className)}>
      <LogoIcon />
      Nolo
    </span>
  );
}
