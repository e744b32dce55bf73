import type { Conversation } from '@nolo/api';
import { toPortableFileName } from '@nolo/rules';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { serverNow } from '../../api/serverClock.ts';
import { request } from '../../api/request.ts';
import { useExplainFailure } from '../../i18n/useExplainFailure.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useChat } from '../context/chatContext.ts';
import { conversationName } from '../words/conversationName.ts';
import { exportChat, type ChatExportResult } from './chatExport.ts';
import { promptForExportSink } from './exportSink.ts';
import { useChatExportWords } from './useChatExportWords.ts';
import { createZipStream } from './zipStream.ts';
import { useTexts } from '../../i18n/texts.ts';
import { chatExportTexts } from './chatExportTexts.ts';

type Stage =
  | { at: 'options' }
  | { at: 'running'; share: number }
  | { at: 'done'; taken: ChatExportResult }
  | { at: 'failed'; error: unknown };

async function load(url: string, signal: AbortSignal): Promise<Blob> {
  return (await request(url, { signal }, { timeoutMs: null })).blob();
}

/** Exports a conversation as readable on this device. */
export function ChatExportDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { t } = useTexts(chatExportTexts);
  const failureWords = useExplainFailure();
  const { openRows, internals } = useChat().engine;
  const words = useChatExportWords();
  const [withFiles, setWithFiles] = useState(false);
  const [stage, setStage] = useState<Stage>({ at: 'options' });
  const underWay = useRef<AbortController>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const begin = async () => {
    const day = new Date(serverNow()).toISOString().slice(0, 10);
    const sink = await promptForExportSink(toPortableFileName(`Nolo ${conversationName(conversation, t)} ${day}.zip`));
    if (sink === null) return;
    const controller = new AbortController();
    underWay.current = controller;
    const { signal } = controller;
    setStage({ at: 'running', share: 0 });
    try {
      const taken = await exportChat({
        conversation,
        selfId: words.selfId,
        api: {
          async listMessages(id, place) {
            const page = await internals.core.api.listMessages(id, place);
            return { ...page, items: [...(await openRows(page.items))] };
          },
        },
        load,
        withFiles,
        words: words.createWords(conversationName(conversation, t)),
        zip: createZipStream(sink, signal),
        signal,
        onProgress: (share) => setStage({ at: 'running', share }),
      });
      await sink.close();
      setStage({ at: 'done', taken });
    } catch (error) {
      await sink.abort().catch(() => undefined);
      if (!signal.aborted) setStage({ at: 'failed', error });
    }
  };
  const percent = stage.at === 'running' ? Math.floor(stage.share * 100) : 0;

  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => open || onClose()}
      // An alert dialog does not close on an outside press, which would lose a running export.
      role={stage.at === 'running' ? 'alert' : 'dialog'}
      title={t('chatExport:title')}
      {...(stage.at === 'options' && { description: t('chatExport:text') })}
      footer={
        stage.at === 'running' || stage.at === 'done' ? (
          <Button kind="secondary" onClick={onClose}>
            {t(stage.at === 'done' ? 'common.close' : 'chatExport:stop')}
          </Button>
        ) : (
          <Button icon={<Download />} onClick={() => void begin()}>
            {t(stage.at === 'failed' ? 'common.retry' : 'chatExport:begin')}
          </Button>
        )
      }
    >
      {stage.at === 'options' && (
        <>
          <Switch
            label={t('chatExport:files')}
            hint={t('chatExport:filesHint')}
            checked={withFiles}
            onCheckedChange={setWithFiles}
          />
          <p className="mt-2 text-13 text-muted">{t('chatExport:leftOut')}</p>
        </>
      )}
      {stage.at === 'running' && (
        <Meter
          label={t('chatExport:running')}
          text={`${percent} %`}
          hint={t('chatExport:keepOpen')}
          used={percent}
          limit={100}
          fills
        />
      )}
      {stage.at === 'done' && (
        <div role="status" className="text-14">
          <p className="font-medium">{t('chatExport:done')}</p>
          <p className="text-13 text-muted">{t('chatExport:counted', { count: stage.taken.messages })}</p>
          {stage.taken.unopened > 0 && (
            <p className="mt-2 text-13 text-warning-text">
              {t('chatExport:unopenedCount', { count: stage.taken.unopened })}
            </p>
          )}
          {stage.taken.missing > 0 && (
            <p className="mt-2 text-13 text-warning-text">{t('chatExport:missing', { count: stage.taken.missing })}</p>
          )}
        </div>
      )}
      {stage.at === 'failed' && (
        <div role="alert" className="text-14">
          <p className="font-medium">{t('chatExport:failed')}</p>
          <p className="text-13 text-danger-text">{failureWords(stage.error)}</p>
        </div>
      )}
    </Dialog>
  );
}
