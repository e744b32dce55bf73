import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as RadixDialog } from 'radix-ui';
import { useFocusReturn } from './Dialog.tsx';
import { PaneHeader } from './PaneHeader.tsx';
import { useCloseOverlayOnBack } from './useCloseOverlayOnBack.ts';
import { useTexts } from '../i18n/texts.ts';

export interface ModalSidePaneProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  children?: ReactNode;
}

/** Modal pane that slides in from the end edge: details on screens too narrow for three panes. */
export function ModalSidePane({ open, onOpenChange, title, children }: ModalSidePaneProps) {
  const { t } = useTexts();
  const focusReturn = useFocusReturn();
  useCloseOverlayOnBack(open, () => onOpenChange(false));
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
        <RadixDialog.Content
          {...focusReturn}
          aria-describedby={undefined}
          className="fixed inset-y-0 end-0 z-40 flex w-full flex-col sm:max-w-96 bg-panel text-ink shadow-overlay outline-none data-[state=closed]:animate-slide-out data-[state=open]:animate-slide-in"
        >
          <PaneHeader
            title={<RadixDialog.Title className="truncate text-16 font-semibold">{title}</RadixDialog.Title>}
            close={
              <RadixDialog.Close
                aria-label={t('common.close')}
                className="tap inline-flex size-10 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink"
              >
                <X aria-hidden="true" className="size-5" />
              </RadixDialog.Close>
            }
          />
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-[env(safe-area-inset-bottom)]">
            {children}
          </div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
