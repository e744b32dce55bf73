import type { File as StoredFile } from '@nolo/api';
import { limits } from '@nolo/rules';
import type { TFunction } from 'i18next';
import type { FormEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import type { ImportProgress, LinkMeta } from '../../api/linkImport.ts';
import { importLink, lookAtLink } from '../../api/linkImport.ts';
import { ApiError } from '../../api/request.ts';
import { useChat } from '../../app/chatContext.ts';
import { useLocale } from '../../i18n/locale.ts';
import { writeMediaInfo } from '../../state/mediaInfo.ts';
import type { UnsentMedia } from '../../state/ports.ts';
import { fieldsOfUpload } from '../../state/uploads/mediaFields.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { clipMarks } from '../messageText/clipMarks.ts';
import { FileSymbol } from './FileSymbol.tsx';
import { sizeText } from './sizeText.ts';
import { useMediaWords } from './useMediaWords.ts';

type Step = { kind: 'address'; looking: boolean } | { kind: 'found'; meta: LinkMeta; bringing: ImportProgress | null };

/** What became of a file on the server, as a message carries it. */
function mediaOfStored(file: StoredFile): UnsentMedia {
  const media: UnsentMedia = {
    messageType: file.kind === 'image' || file.kind === 'video' ? file.kind : 'file',
    name: file.name,
    size: file.size,
    info: writeMediaInfo({ type: file.contentType }),
    fields: null,
  };
  return { ...media, fields: fieldsOfUpload(media, file) };
}

function problemText(error: unknown, t: TFunction): string {
  switch (error instanceof ApiError ? error.code : '') {
    case 'link_invalid':
    case 'link_refused':
      return t('media.link.refused');
    case 'link_unreachable':
      return t('media.link.unreachable');
    case 'link_too_large':
    case 'file_too_large':
      return t('media.link.tooLarge');
    case 'storage_full_plan':
      return t('media.link.storageFull');
    case 'network_error':
      return t('errors.network');
    default:
      return t('media.link.failed');
  }
}

/** Sends a file that is behind a link: looks at it, shows what it is, and has the server fetch it. */
export function LinkDialog({ conversationId, onClose }: { conversationId: string; onClose: () => void }) {
  const { t } = useMediaWords();
  const { engine } = useChat();
  const form = useId();
  const [step, setStep] = useState<Step>({ kind: 'address', looking: false });
  const [address, setAddress] = useState('');
  const [caption, setCaption] = useState('');
  const [problem, setProblem] = useState<string>();
  const underWay = useRef<AbortController>(null);
  // Closing it gives up what is under way.
  useEffect(() => () => underWay.current?.abort(), []);

  /** Does something that closing the dialog gives up; what went wrong is said. */
  const attempt = async (act: (signal: AbortSignal) => Promise<void>, otherwise: Step): Promise<void> => {
    const controller = new AbortController();
    underWay.current = controller;
    setProblem(undefined);
    try {
      await act(controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      setProblem(problemText(error, t));
      setStep(otherwise);
    }
  };
  const look = (url: string): Promise<void> => {
    setStep({ kind: 'address', looking: true });
    return attempt(
      async (signal) => {
        const meta = await lookAtLink(url, signal);
        if (meta.size !== null && meta.size > limits.importBytes)
          throw new ApiError(413, { code: 'link_too_large' }, '');
        setStep({ kind: 'found', meta, bringing: null });
      },
      { kind: 'address', looking: false },
    );
  };
  const bring = (meta: LinkMeta): Promise<void> => {
    const shown = { kind: 'found', meta, bringing: null } as const;
    setStep({ ...shown, bringing: { came: 0, total: meta.size } });
    return attempt(async (signal) => {
      const follow = (bringing: ImportProgress) => setStep({ ...shown, bringing });
      const file = await importLink(withScheme(address), meta, follow, signal);
      engine.send(conversationId, caption.trim(), { media: mediaOfStored(file) });
      onClose();
    }, shown);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The composer's own form lies around it in the tree of components.
    event.stopPropagation();
    if (step.kind === 'found') {
      if (!step.bringing) void bring(step.meta);
    } else if (!step.looking && address.trim() !== '') void look(withScheme(address));
  };
  const bringing = step.kind === 'found' && step.bringing !== null;

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('media.link.title')}
      description={t('media.link.text')}
      footer={
        <>
          {bringing ? (
            <Button kind="secondary" onClick={onClose}>
              {t('common.cancel')}
            </Button>
          ) : (
            step.kind === 'found' && (
              <Button kind="secondary" onClick={() => setStep({ kind: 'address', looking: false })}>
                {t('media.link.other')}
              </Button>
            )
          )}
          <Button
            type="submit"
            form={form}
            busy={bringing || (step.kind === 'address' && step.looking)}
            disabled={step.kind === 'address' && address.trim() === ''}
          >
            {t(step.kind === 'found' ? 'media.link.send' : 'media.link.look')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {step.kind === 'address' ? (
          <TextField
            label={t('media.link.address')}
            type="url"
            inputMode="url"
            dir="ltr"
            autoComplete="off"
            maxLength={limits.linkLength}
            placeholder={t('media.link.placeholder')}
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
            <Found meta={step.meta} bringing={step.bringing} />
            {!step.bringing && (
              <TextArea
                label={t('media.link.caption')}
                rows={2}
                value={caption}
                onChange={(event) => setCaption(event.target.value)}
              />
            )}
            {problem !== undefined && (
              <p role="alert" className="text-13 text-danger-text">
                {problem}
              </p>
            )}
          </>
        )}
      </form>
    </Dialog>
  );
}

/** People leave out what their browser leaves out. */
function withScheme(address: string): string {
  const text = address.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
}

/** What is at the address, and how much of it has come. */
function Found({ meta, bringing }: { meta: LinkMeta; bringing: ImportProgress | null }) {
  const { t } = useMediaWords();
  const locale = useLocale();
  const total = bringing?.total ?? null;
  const share = bringing && total !== null ? Math.min(1, bringing.came / total) : null;
  const size = meta.size === null ? t('media.link.unknownSize') : sizeText(meta.size, locale);
  const said =
    bringing === null
      ? size
      : total === null
        ? t('media.link.soFar', { came: sizeText(bringing.came, locale) })
        : t('media.progress.of', { sent: sizeText(bringing.came, locale), total: sizeText(total, locale) });
  return (
    <div className="flex items-center gap-3 rounded-card border border-line bg-raised p-3">
      <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-card bg-accent-subtle text-accent-text">
        <FileSymbol name={meta.name} className="size-5.5" />
      </span>
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-ui-start text-14 font-medium">
          {clipMarks(meta.name)}
        </span>
        <span className="tabular block text-12 text-muted">{said}</span>
        {bringing !== null && (
          <span
            role="progressbar"
            aria-label={t('media.link.bringing', { name: meta.name })}
            aria-valuemin={0}
            aria-valuemax={100}
            {...(share !== null && { 'aria-valuenow': Math.round(share * 100) })}
            aria-valuetext={said}
            className="mt-1.5 block h-1 overflow-hidden rounded-full bg-sunken"
          >
            <span
              className={`block h-full rounded-full bg-accent transition-[width] duration-300 ${share === null ? 'w-full animate-pulse' : ''}`}
              style={share === null ? undefined : { width: `${share * 100}%` }}
            />
          </span>
        )}
      </span>
    </div>
  );
}
