/** Entry point of the lazily loaded room. It is a single chunk, because the first screen lists every additional one. */
export { ComposeDialog } from './ComposeDialog.tsx';
export { ScheduleBadge } from './ScheduleBadge.tsx';
export { ScheduleScreen } from './ScheduleScreen.tsx';
export { notifyPostOutcome } from './notifyPostOutcome.ts';
