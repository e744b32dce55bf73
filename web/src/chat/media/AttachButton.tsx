import { Paperclip } from 'lucide-react';
import { useRef, useState, type ChangeEvent } from 'react';
import { useStore } from 'zustand';
import { browserSupport } from '../../device/browserSupport.ts';
import { featureStore } from '../../session/features.ts';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { composerButtonClasses } from '../../ui/composerStyles.ts';
import { useMenuButton } from '../../ui/useMenuButton.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/* Menus are as large as the message list. */
const AttachMenu = lazyDialog(async () => (await import('./AttachMenu.tsx')).AttachMenu);
const CameraDialog = lazyDialog(async () => (await import('./CameraDialog.tsx')).CameraDialog);
const LinkDialog = lazyDialog(async () => (await import('./SendLinkedFileDialog.tsx')).SendLinkedFileDialog);

export interface AttachButtonProps {
  conversationId: string;
  /** `asFile`: send them unchanged. */
  onFiles: (files: readonly File[], asFile?: boolean) => void;
}

/** Phones have a camera app, which is better than a page. */
const hasCameraApp = () => matchMedia('(pointer: coarse)').matches;

/** Chooses what to send: pictures and videos, files, a camera picture, or a linked file. */
export function AttachButton({ conversationId, onFiles }: AttachButtonProps) {
  const { t } = useTexts(conversationTexts);
  const pictures = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const shot = useRef<HTMLInputElement>(null);
  const { open, close, buttonProps } = useMenuButton();
  const [camera, setCamera] = useState(false);
  const [link, setLink] = useState(false);
  const fromLinks = useStore(featureStore, (state) => state.features['linkImports'] === true);
  const take =
    (asFile: boolean) =>
    (event: ChangeEvent<HTMLInputElement>): void => {
      onFiles([...(event.target.files ?? [])], asFile);
      // Allows choosing the same file again.
      event.target.value = '';
    };
  const takePicture = (): void => {
    if (hasCameraApp()) shot.current?.click();
    else setCamera(true);
  };
  const input = { type: 'file', hidden: true, tabIndex: -1 } as const;
  return (
    <>
      <input {...input} ref={pictures} multiple accept="image/*,video/*" onChange={take(false)} />
      <input {...input} ref={files} multiple onChange={take(true)} />
      <input {...input} ref={shot} accept="image/*" capture="environment" onChange={take(false)} />
      <span className="relative inline-flex">
        <button {...buttonProps} aria-label={t('conversation:attach')} className={composerButtonClasses}>
          <Paperclip aria-hidden="true" className="size-[21px]" />
        </button>
        {open && (
          <AttachMenu
            onPictures={() => pictures.current?.click()}
            onFile={() => files.current?.click()}
            onCamera={browserSupport.capture() || hasCameraApp() ? takePicture : undefined}
            onLink={fromLinks ? () => setLink(true) : undefined}
            onClose={close}
          />
        )}
      </span>
      {camera && <CameraDialog onPicture={(file) => onFiles([file])} onClose={() => setCamera(false)} />}
      {link && <LinkDialog conversationId={conversationId} onClose={() => setLink(false)} />}
    </>
  );
}
