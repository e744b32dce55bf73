/*
 * Look of a message in its list, shared by the app and by the initial document, which draws the first messages until
 * the app loads.
 */

export const rowClasses = 'mx-auto w-full max-w-200 px-3 sm:px-5';

export const gapAboveClasses = (startsGroup: boolean): string => (startsGroup ? 'pt-(--nolo-group-gap)' : 'pt-[3px]');

export const bubbleRowClasses = (own: boolean): string =>
  own ? 'flex flex-row-reverse items-center gap-1' : 'flex flex-row items-center gap-1';

export const bubblePlaceClasses = (own: boolean): string =>
  `flex max-w-[min(85%,34rem)] min-w-0 flex-col sm:max-w-[min(75%,34rem)] ${own ? 'items-end' : 'items-start'}`;

export const bubbleClasses =
  'relative flow-root max-w-full min-w-0 overflow-clip rounded-bubble text-start text-15 wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext] pointer-coarse:text-16 pointer-coarse:select-none';

export const textPaddingClasses = 'px-3 py-(--nolo-bubble-block)';

export const bubbleSurface = (own: boolean): string =>
  own
    ? 'bg-bubble-own text-ink [--nolo-muted:var(--nolo-muted-own)]'
    : 'bg-bubble-other text-ink shadow-[0_1px_1.5px_rgb(50_40_25/0.07)]';

/** Floats beside the last line if there is room. */
export const floatingTimeAndStatusClasses = 'float-end ms-2.5 mt-[7px] -mb-1';

export const timeAndStatusClasses =
  'tabular flex h-4 items-center gap-1 text-12 whitespace-nowrap not-italic select-none';

/** Delivery icon of the user's own messages. Two filled ticks are wider. */
export const deliveryIconClasses = 'size-4';
/** Two ticks in a filled shape, so that read and delivered differ by more than color. */
export const readTickClasses = 'box-content size-3.5 rounded-full bg-accent-text px-[3px] py-px text-bubble-own';

/** Space for the button beside a bubble, shown if there is a mouse. */
export const besideBubbleButtonClasses = 'size-8 shrink-0';

export type BubbleCorners = Partial<
  Record<'borderTopRightRadius' | 'borderTopLeftRadius' | 'borderBottomRightRadius' | 'borderBottomLeftRadius', string>
>;

/**
 * Tightens the inner corners of a run, so that it reads as one block. Uses physical names because a bubble has its own
 * text direction.
 */
export function cornersOf(own: boolean, startsGroup: boolean, endsGroup: boolean): BubbleCorners {
  const right = own === (document.documentElement.dir !== 'rtl');
  const tight = '6px';
  return {
    ...(!startsGroup && { [right ? 'borderTopRightRadius' : 'borderTopLeftRadius']: tight }),
    ...(!endsGroup && { [right ? 'borderBottomRightRadius' : 'borderBottomLeftRadius']: tight }),
  };
}
