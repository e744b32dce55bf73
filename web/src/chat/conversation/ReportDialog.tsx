import { routes, type Message } from '@nolo/api';
import {
  cutText,
  limits,
  reportCategories,
  type ReportCategory,
  type ReportKind,
  reportPictureLimits,
} from '@nolo/rules';
import { useState } from 'react';
import { call } from '../../api/httpClient.ts';
import { formatClockTime } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { useAction } from '../../ui/useAction.ts';
import { toast } from '../../ui/toasts.ts';
import { summarizeMessage } from '../words/messagePreview.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { useTexts } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';
import { reportTexts } from '../words/reportTexts.ts';

/** Reportable fields of a message or of a similar item. */
type Handed = Pick<
  Message,
  'id' | 'senderId' | 'createdAt' | 'content' | 'messageType' | 'fileName' | 'voiceMessageTranscription' | 'deletedAt'
>;

export interface ReportDialogProps {
  kind: ReportKind;
  targetId: string;
  /** Account behind the reported item. Absent for a group. */
  reportedId?: string;
  name: string;
  /** Messages that the user can attach to the report, oldest first. */
  messages: readonly Handed[];
  /** Address of a status update's picture, which the user can attach to the report. */
  pictureUrl?: string | undefined;
  /** True if the status update is a video. The report includes no copy of it, and the dialog says so. */
  isVideo?: boolean;
  /** Blocks the user along with the report. Set only if there is an unblocked user to block. */
  onBlock?: (() => Promise<unknown>) | undefined;
  /** Name of the user that `onBlock` blocks, if different from the reported name. */
  blockedName?: string;
  onClose: () => void;
}

/**
 * Reports an item to the operators. They see only the content attached to the report, and the dialog shows that content
 * first.
 */
export function ReportDialog(props: ReportDialogProps) {
  const { kind, targetId, reportedId, name, messages, pictureUrl, isVideo = false, onBlock } = props;
  const { blockedName = name, onClose } = props;
  const { t } = useTexts(callTexts, reportTexts);
  const names = usePeopleNames();
  // A status update without text has no text to attach.
  const offered = messages
    .filter(({ deletedAt, content }) => deletedAt === null && (kind !== 'status' || content.trim() !== ''))
    .slice(-limits.reportMessages);
  const [category, setCategory] = useState<ReportCategory>('spam');
  const [note, setNote] = useState('');
  // The reported item is attached unless the user deselects it. Everything else is attached only if selected.
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(kind === 'message' || kind === 'status' ? offered.map(({ id }) => id) : []),
  );
  const [withPicture, setWithPicture] = useState(pictureUrl !== undefined);
  const [blocks, setBlocks] = useState(false);
  const textOf = (message: Handed): string => message.content || summarizeMessage(message, t, names);
  const toggle = (id: string, checked: boolean): void => {
    const others = [...chosen].filter((one) => one !== id);
    setChosen(new Set(checked ? [...others, id] : others));
  };

  const sending = useAction(
    async () => {
      const chosenMessages = offered.filter(({ id }) => chosen.has(id));
      const body = {
        kind,
        targetId,
        category,
        messages: chosenMessages.map((message) => ({
          senderId: message.senderId,
          sentAt: message.createdAt,
          text: cutText(textOf(message), limits.reportTextLength),
        })),
        ...(reportedId !== undefined && { reportedId }),
        ...(note.trim() !== '' && { note: note.trim() }),
        ...(withPicture && pictureUrl !== undefined && { picture: await preparePictureForReport(pictureUrl) }),
      };
      await call(routes.createReport, { body });
    },
    {
      failure: t('report:failed'),
      onDone: () => toast({ kind: 'success', title: t('report:done'), description: t('report:doneText') }),
    },
  );
  const send = async (): Promise<void> => {
    if (!(await sending.run())) return;
    // `onBlock` reports its own failures.
    if (blocks) await onBlock?.().catch(() => undefined);
    onClose();
  };

  return (
    <FormDialog
      title={t(`report:titles.${kind}`, { name })}
      description={t('report:text', { name })}
      submitLabel={t('report:send')}
      danger
      waits
      onClose={onClose}
      onSubmit={send}
    >
      <Select<ReportCategory>
        label={t('report:category')}
        value={category}
        onValueChange={setCategory}
        options={reportCategories.map((value) => ({ value, label: t(`report:categories.${value}`) }))}
      />
      <TextArea
        dir="auto"
        label={t('report:note')}
        maxLength={limits.reportNoteLength}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {offered.length > 0 && (
        <fieldset className="flex min-w-0 flex-col gap-2">
          <legend className="text-14 font-medium">
            {t(kind === 'status' ? 'report:statusText' : 'report:handedOver')}
          </legend>
          <p className="text-13 text-muted">
            {t(kind === 'status' ? 'report:statusTextHint' : 'report:handedOverHint')}
          </p>
          <ul className="flex flex-col gap-1">
            {offered.map((message) => (
              <HandedOver
                key={message.id}
                message={message}
                text={textOf(message)}
                checked={chosen.has(message.id)}
                onToggle={(checked) => toggle(message.id, checked)}
              />
            ))}
          </ul>
          {chosen.size === 0 && kind !== 'status' && <p className="text-13 text-muted">{t('report:nothing')}</p>}
        </fieldset>
      )}
      {pictureUrl !== undefined && <HandedPicture url={pictureUrl} checked={withPicture} onToggle={setWithPicture} />}
      {isVideo && <p className="text-13 text-muted">{t('report:videoStays')}</p>}
      {onBlock && (
        <label className="flex min-h-8 items-center gap-2 text-14 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={blocks}
            onChange={(event) => setBlocks(event.target.checked)}
          />
          {t('report:block', { name: blockedName })}
        </label>
      )}
    </FormDialog>
  );
}

interface HandedOverProps {
  message: Handed;
  text: string;
  checked: boolean;
  onToggle: (checked: boolean) => void;
}

/** A message as the operators would read it. */
function HandedOver({ message, text, checked, onToggle }: HandedOverProps) {
  const locale = useLocale();
  return (
    <li className="rounded-control border border-line p-2 text-13">
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={checked}
          onChange={(event) => onToggle(event.target.checked)}
        />
        <span dir="auto" className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap">
          {text}
        </span>
      </label>
      <p className="ms-6 text-muted">{formatClockTime(Date.parse(message.createdAt), locale)}</p>
    </li>
  );
}

/** The picture as the operators would see it. */
function HandedPicture({ url, checked, onToggle }: Pick<HandedOverProps, 'checked' | 'onToggle'> & { url: string }) {
  const { t } = useTexts(reportTexts);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="text-14 font-medium">{t('report:picture')}</legend>
      <label className="flex items-start gap-3 rounded-control border border-line p-2 text-13">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={checked}
          onChange={(event) => onToggle(event.target.checked)}
        />
        <img src={url} alt="" className="size-16 shrink-0 rounded-control bg-sunken object-cover" />
        <span className="min-w-0 flex-1 text-muted">{t('report:pictureHint')}</span>
      </label>
    </fieldset>
  );
}

const reportPixels = 1_600;

/**
 * Redraws the picture for a report, so that it carries only visible data, and shrinks it. Returns base64.
 *
 * @throws if the picture is unavailable
 */
async function preparePictureForReport(url: string): Promise<string> {
  const reply = await fetch(url);
  if (!reply.ok) throw new Error('The picture could not be loaded.');
  const picture = await createImageBitmap(await reply.blob());
  for (let side = reportPixels; side >= 200; side /= 2) {
    const scale = Math.min(1, side / Math.max(picture.width, picture.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const made = canvas.toDataURL('image/jpeg', 0.8);
    const content = made.slice(made.indexOf(',') + 1);
    if ((content.length * 3) / 4 <= reportPictureLimits.bytes) return content;
  }
  throw new Error('The picture could not be made small enough.');
}
