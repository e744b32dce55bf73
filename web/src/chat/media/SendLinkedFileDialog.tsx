import { limits } from '@nolo/rules';
import { useEffect, useRef, useState } from 'react';
import { fetchLinkMeta, type LinkMeta } from '../../api/linkImport.ts';
import { ApiError } from '../../api/request.ts';
import { useChat } from '../context/chatContext.ts';
import { useLocale } from '../../i18n/locale.ts';
import type { UnsentMedia } from '@nolo/client/chat/ports';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { describeFailureReason } from '../words/describeSendFailure.ts';
import { FileName } from './FileName.tsx';
import { FileSymbol } from './FileSymbol.tsx';
import { sizeText } from '../../i18n/sizeText.ts';
import { getMaxFileBytes } from '../../session/fileLimit.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';
import { mediaTexts } from './mediaTexts.ts';

type Step = { kind: 'address'; looking: boolean } | { kind: 'found'; link: string; meta: LinkMeta };

/** Returns the medium of a linked file. Until the server has fetched it, it is only known to be a file. */
function mediaBehind(link: string, { name, size }: LinkMeta): UnsentMedia {
  return { messageType: 'file', name, size: size ?? 0, info: null, fields: null, link };
}

/**
 * Sends a linked file: inspects it and shows what it is. The server fetches it after the message is already in the
 * conversation, so the user need not wait.
 */
export function SendLinkedFileDialog({ conversationId, onClose }: { conversationId: string; onClose: () => void }) {
  const { t } = useTexts(conversationTexts, mediaTexts);
  const { engine } = useChat();
  const [step, setStep] = useState<Step>({ kind: 'address', looking: false });
  const [address, setAddress] = useState('');
  const [caption, setCaption] = useState('');
  const [problem, setProblem] = useState<string>();
  const looking = useRef<AbortController>(null);
  const addressField = useRef<HTMLInputElement>(null);
  // Closing the dialog cancels the request.
  useEffect(() => () => looking.current?.abort(), []);

  const inspectLink = async (link: string): Promise<void> => {
    const controller = new AbortController();
    looking.current = controller;
    setProblem(undefined);
    setStep({ kind: 'address', looking: true });
    try {
      const meta = await fetchLinkMeta(link, controller.signal);
      if (meta.size !== null && meta.size > getMaxFileBytes(limits.importBytes))
        throw new ApiError(413, { code: 'link_too_large' }, '');
      setStep({ kind: 'found', link, meta });
    } catch (error) {
      if (controller.signal.aborted) return;
      setProblem(problemText(error));
      setStep({ kind: 'address', looking: false });
    }
  };
  const problemText = (error: unknown): string => {
    const { code, serverMessage: message } = error instanceof ApiError ? error : new ApiError(500, {}, '');
    if (code === 'network_error') return t('errors.network');
    const text = describeFailureReason({ code: code === 'unknown_error' ? 'import_failed' : code, message }, t);
    return text ?? t('conversation:failure.linkFailed');
  };
  const submit = async (): Promise<void> => {
    if (step.kind === 'found') {
      engine.send(conversationId, caption.trim(), { media: mediaBehind(step.link, step.meta) });
      onClose();
    } else if (address.trim() !== '') await inspectLink(withScheme(address));
  };
  const another = { label: t('media:link.other'), onSelect: () => setStep({ kind: 'address', looking: false }) };

  return (
    <FormDialog
      title={t('media:link.title')}
      description={t('media:link.text')}
      initialFocus={() => addressField.current}
      submitLabel={t(step.kind === 'found' ? 'media:link.send' : 'media:link.find')}
      disabled={step.kind === 'address' && address.trim() === ''}
      back={step.kind === 'found' ? another : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      {step.kind === 'address' ? (
        <TextField
          ref={addressField}
          label={t('media:link.address')}
          type="url"
          inputMode="url"
          dir="ltr"
          autoComplete="off"
          maxLength={limits.linkLength}
          placeholder={t('media:link.placeholder')}
          value={address}
          readOnly={step.looking}
          error={problem}
          onChange={(event) => {
            setAddress(event.target.value);
            setProblem(undefined);
          }}
        />
      ) : (
        <>
          <Found meta={step.meta} />
          <TextArea
            label={t('media:link.caption')}
            rows={2}
            value={caption}
            onChange={(event) => setCaption(event.target.value)}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Adds the scheme, which people omit because their browser hides it. */
function withScheme(address: string): string {
  const text = address.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
}

/** Shows what is at the address. */
function Found({ meta }: { meta: LinkMeta }) {
  const { t } = useTexts(mediaTexts);
  const locale = useLocale();
  return (
    <div className="flex items-center gap-3 rounded-card border border-line bg-raised p-3">
      <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-card bg-accent-subtle text-accent-text">
        <FileSymbol name={meta.name} className="size-5.5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="sr-only">{meta.name}</span>
        <FileName name={meta.name} className="text-14 font-medium" />
        <span className="tabular block text-12 text-muted">
          {meta.size === null ? t('media:link.unknownSize') : sizeText(meta.size, locale)}
        </span>
      </span>
    </div>
  );
}
