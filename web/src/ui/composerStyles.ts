/* Look of the composer, also in the frame that the document shows until its code loads. */

export const composerBarClasses = 'shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)]';

export const composerInnerClasses = 'relative mx-auto w-full max-w-200 px-3 max-[22rem]:px-2 py-2.5 sm:px-5';

export const composerRowClasses = 'flex items-end gap-1.5 max-[22rem]:gap-1';

export const composerButtonClasses =
  'inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted hover:bg-hover hover:text-ink aria-expanded:bg-hover';

export const composerFieldClasses =
  'field-sizing-content max-h-[calc(8.4em+22px)] min-h-11 w-full min-w-0 flex-1 resize-none rounded-[22px] [text-rendering:optimizeSpeed] border border-line bg-raised px-4 max-[22rem]:px-2.5 py-2.5 text-15 pointer-coarse:text-16 ' +
  'transition-[border-color,box-shadow] duration-150 [scrollbar-width:thin] wrap-anywhere placeholder:truncate ' +
  'focus-visible:border-focus focus-visible:ring-1 focus-visible:ring-focus focus-visible:outline-none aria-invalid:border-danger';
