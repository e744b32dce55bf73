import { CheckCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Avatar } from '../ui/Avatar.tsx';
import { classNames } from '../ui/classNames.ts';
import { BayPicture } from './BayPicture.tsx';
import { useTexts } from '../i18n/texts.ts';
import { landingTexts } from './landingTexts.ts';

function Bubble({ own, time, last, children }: { own?: boolean; time: string; last?: boolean; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'flex max-w-[82%] flex-wrap items-end justify-end gap-x-2 rounded-bubble px-3.5 py-2 text-14 text-ink',
        own
          ? classNames('self-end bg-bubble-own', last && 'rounded-ee-[6px]')
          : classNames('self-start border border-line bg-bubble-other', last && 'rounded-es-[6px]'),
      )}
    >
      <span className="me-auto">{children}</span>
      <span className="tabular inline-flex items-center gap-0.5 text-12 text-muted">
        {time}
        {own && <CheckCheck className="size-3.5 text-accent-text" />}
      </span>
    </div>
  );
}

function Row({ name, text, time, unread }: { name: string; text: string; time: string; unread: number }) {
  return (
    <div className="flex items-center gap-2.5 px-3 py-2">
      <Avatar name={name} size={32} />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate text-13 font-semibold">{name}</span>
          <span className="tabular text-12 text-muted">{time}</span>
        </div>
        <div className="flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate text-12 text-muted">{text}</span>
          <span className="tabular flex size-4.5 items-center justify-center rounded-full bg-accent text-12 font-semibold text-on-accent">
            {unread}
          </span>
        </div>
      </div>
    </div>
  );
}

/** Picture of the product, built from its own components, so that its colors and shapes are never outdated. */
export function ChatPicture() {
  const { t } = useTexts(landingTexts);
  return (
    <figure role="img" aria-label={t('landing:picture')} className="relative isolate w-full lg:mx-auto lg:max-w-160">
      <div className="absolute inset-0 -z-10 overflow-hidden rounded-[28px] border border-line">
        <BayPicture className="size-full" />
      </div>
      <div aria-hidden="true" className="px-4 pt-62 pb-6 sm:px-10 sm:pt-68 sm:pb-14 lg:pt-62 xl:px-14">
        <div className="relative mx-auto max-w-112">
          <div className="relative overflow-hidden rounded-bubble border border-line bg-panel shadow-overlay">
            <div className="flex items-center gap-3 border-b border-line bg-raised px-4 py-3">
              <Avatar name={t('landing:demo.name')} size={40} />
              <div>
                <div className="text-14 font-semibold">{t('landing:demo.name')}</div>
                <div className="flex items-center gap-1.5 text-12 text-muted">
                  <span className="size-2 rounded-full bg-online" />
                  {t('landing:demo.status')}
                </div>
              </div>
            </div>
            <div className="flex flex-col gap-1.5 px-4 py-4">
              <span className="mb-1 self-center rounded-full bg-sunken px-2.5 py-0.5 text-12 font-medium text-muted">
                {t('landing:demo.day')}
              </span>
              <Bubble time="18:04" last>
                {t('landing:demo.one')}
              </Bubble>
              <Bubble own time="18:05" last>
                {t('landing:demo.two')}
              </Bubble>
              <Bubble time="18:05" last>
                {t('landing:demo.three')}
              </Bubble>
              <Bubble own time="18:06" last>
                {t('landing:demo.four')}
              </Bubble>
              <span className="mt-1 inline-flex items-center gap-2 self-start text-12 text-muted">
                <span className="inline-flex gap-1 rounded-bubble border border-line bg-bubble-other px-3 py-2.5">
                  <span className="typing-dot size-1.5 rounded-full bg-muted" />
                  <span className="typing-dot size-1.5 rounded-full bg-muted" />
                  <span className="typing-dot size-1.5 rounded-full bg-muted" />
                </span>
                {t('landing:demo.typing')}
              </span>
            </div>
          </div>
          <div className="absolute -end-4 -bottom-8 hidden w-68 rounded-card border border-line bg-overlay py-1 shadow-overlay sm:block lg:-end-6 xl:-end-20">
            <Row name={t('landing:demo.otherName')} text={t('landing:demo.otherText')} time="18:06" unread={3} />
          </div>
        </div>
      </div>
    </figure>
  );
}
