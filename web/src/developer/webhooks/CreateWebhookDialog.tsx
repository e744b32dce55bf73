import { routes } from '@nolo/api';
import { webhookEventTypes, webhookLimits, type WebhookEventType } from '@nolo/rules';
import { useId, useRef, useState } from 'react';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { webhooksTexts } from './webhooksTexts.ts';

export const webhooksKey = ['webhooks'];

/** Asks for the URL and the events. The user must authenticate again. */
export function CreateWebhookDialog({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }) {
  const { t } = useTexts(webhooksTexts);
  const create = useAction(routes.createWebhook, {
    invalidates: [webhooksKey],
    failure: t('webhooks:form.failed'),
    onDone: ({ secret }) => onMade(secret),
  });
  const message = useId();
  const urlField = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEventType[]>([]);
  const [tried, setTried] = useState(false);
  const hasUrl = url.trim() !== '';
  const isChosen = events.length > 0;

  const make = async () => {
    setTried(true);
    if (!hasUrl) urlField.current?.focus();
    if (!hasUrl || !isChosen) return;
    await create.run({ body: { url: url.trim(), events: [...events] } });
  };

  return (
    <FormDialog
      initialFocus={() => urlField.current}
      title={t('webhooks:form.title')}
      waits
      dirty={events.length > 0}
      submitLabel={t('webhooks:form.submit')}
      onClose={onClose}
      onSubmit={make}
    >
      <TextField
        ref={urlField}
        dir="ltr"
        inputMode="url"
        label={t('webhooks:form.url')}
        hint={t('webhooks:form.urlHint')}
        error={tried && !hasUrl ? t('webhooks:form.urlMissing') : undefined}
        maxLength={webhookLimits.urlLength}
        autoComplete="off"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <fieldset aria-describedby={tried && !isChosen ? message : undefined}>
        <legend className="mb-1 text-13 font-medium">{t('webhooks:form.events')}</legend>
        <div className="rounded-control border border-line px-3 py-1">
          {webhookEventTypes.map((type) => (
            <label key={type} className="flex min-h-10 items-center gap-2 text-14">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={events.includes(type)}
                onChange={(event) =>
                  setEvents(
                    webhookEventTypes.filter((one) => (one === type ? event.target.checked : events.includes(one))),
                  )
                }
              />
              <code>{type}</code>
            </label>
          ))}
        </div>
        {tried && !isChosen && (
          <p id={message} role="alert" className="mt-1 text-13 text-danger-text">
            {t('webhooks:form.eventsMissing')}
          </p>
        )}
      </fieldset>
    </FormDialog>
  );
}
