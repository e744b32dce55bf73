import { X } from 'lucide-react';
import { useEffect, useInsertionEffect, useRef, type ReactNode } from 'react';
import { Dialog as RadixDialog } from 'radix-ui';
import { classNames } from './classNames.ts';
import { FailureAlert } from './FailureAlert.tsx';
import { useFailureHost } from './failures.ts';
import { useCloseOverlayOnBack } from './useCloseOverlayOnBack.ts';
import { useTexts } from '../i18n/texts.ts';

export interface DialogProps {
  open: boolean;
  /** Called to change the state. Returns false if the dialog stays open nevertheless, for example to ask first. */
  onOpenChange: (open: boolean) => unknown;
  title: ReactNode;
  /** True to show the title to screen readers only. */
  hideTitle?: boolean;
  description?: ReactNode;
  /** Buttons at the lower edge, the main one last. */
  footer?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  /** Role of the dialog. 'alert': a question that must be answered, so an outside press does not close it. */
  role?: 'dialog' | 'alert';
  /** True if nothing in it is focusable. Its content then gets the focus, so that the keyboard scrolls it. */
  textOnly?: boolean;
  /** Returns the element to focus on opening. Default: the first focusable one. */
  initialFocus?: () => HTMLElement | null;
  children?: ReactNode;
}

const sizes = { small: 'sm:max-w-sm', medium: 'sm:max-w-md', large: 'sm:max-w-2xl' };

/** Focused element before a dialog that closes in this step, for another one that opens in the same step. */
let handedOn: HTMLElement | null = null;

/**
 * Stores the previously focused element and restores the focus. The library does so only for its own trigger component,
 * but our dialogs also open from menus, shortcuts, and rows.
 */
export function useFocusReturn(initialFocus?: () => HTMLElement | null, open = true) {
  const previous = useRef<HTMLElement>(null);
  const remember = (): void => {
    previous.current = handedOn ?? (document.activeElement instanceof HTMLElement ? document.activeElement : null);
  };
  // Runs before a field with `autoFocus` takes the focus. The library then does not call `onOpenAutoFocus`.
  useInsertionEffect(() => {
    if (open) remember();
  }, [open]);
  useEffect(() => {
    // A dialog that this one replaces has handed on its element only now.
    if (handedOn) previous.current = handedOn;
    return () => {
      handedOn = previous.current;
      setTimeout(() => (handedOn = null));
    };
  }, []);
  return {
    onOpenAutoFocus(event: Event) {
      remember();
      const wanted = initialFocus?.();
      if (!wanted) return;
      event.preventDefault();
      wanted.focus();
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      // Focus stays in another dialog that opened in the same step.
      const other = document.activeElement?.closest('[data-dialog]');
      if (other && !other.contains(previous.current)) return;
      if (previous.current?.isConnected) previous.current.focus();
    },
  };
}

/**
 * Dialog: centered from 640 px on, a sheet at the lower edge on phones. Escape and Back close it. Failures passed to
 * `showFailure` while it is open appear above its buttons until the user types or presses a button.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  hideTitle = false,
  description,
  footer,
  size = 'medium',
  role = 'dialog',
  textOnly = false,
  initialFocus,
  children,
}: DialogProps) {
  const { t } = useTexts();
  const focusReturn = useFocusReturn(initialFocus, open);
  useCloseOverlayOnBack(open, () => onOpenChange(false));
  const [failure, clearFailure] = useFailureHost(open);
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
        <div className="pointer-events-none fixed inset-0 z-40 flex items-end justify-center sm:items-center sm:p-6">
          <RadixDialog.Content
            {...focusReturn}
            data-dialog
            {...(role === 'alert' && { role: 'alertdialog' })}
            {...(description === undefined && { 'aria-describedby': undefined })}
            onInteractOutside={(event) => {
              if (role === 'alert') event.preventDefault();
            }}
            onInput={clearFailure}
            onClickCapture={(event) => {
              if (event.target instanceof Element && event.target.closest('button')) clearFailure();
            }}
            className={classNames(
              'pointer-events-auto flex max-h-[min(92dvh,52rem)] w-full flex-col bg-overlay text-ink shadow-overlay',
              'rounded-t-bubble pb-[env(safe-area-inset-bottom)] sm:rounded-card sm:pb-0',
              'outline-none data-[state=closed]:animate-sink-out data-[state=open]:animate-rise-in max-sm:data-[state=open]:animate-sheet-in',
              sizes[size],
            )}
          >
            <header
              className={classNames(
                'flex items-start gap-3 ps-5 pt-4',
                role === 'alert' ? 'pe-5' : 'pe-3',
                children === undefined ? 'pb-5' : 'pb-1',
              )}
            >
              <div className="min-w-0 flex-1 pt-1">
                <RadixDialog.Title className={hideTitle ? 'sr-only' : 'text-20 font-semibold'}>
                  {title}
                </RadixDialog.Title>
                {description !== undefined && (
                  <RadixDialog.Description className="mt-1 text-14 text-muted">{description}</RadixDialog.Description>
                )}
              </div>
              {role !== 'alert' && (
                <RadixDialog.Close
                  aria-label={t('common.close')}
                  className="tap inline-flex size-9 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink"
                >
                  <X aria-hidden="true" className="size-5" />
                </RadixDialog.Close>
              )}
            </header>
            {children !== undefined && (
              <div
                className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-3 pb-5 outline-offset-[-2px]"
                {...(textOnly && { tabIndex: 0 })}
              >
                {children}
              </div>
            )}
            {failure && <FailureAlert failure={failure} className="mx-5 mb-3" />}
            {footer !== undefined && (
              <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
            )}
          </RadixDialog.Content>
        </div>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** Closes the surrounding dialog. The child is a Button. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <RadixDialog.Close asChild>{children}</RadixDialog.Close>;
}
