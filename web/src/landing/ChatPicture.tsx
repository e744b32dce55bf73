import { CheckCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Avatar } from '../ui/Avatar.tsx';
import { classNames } from '../ui/classNames.ts';
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

/** The evening bay behind the conversation, which the two friends are writing about. */
function BayPicture({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 640 600"
      preserveAspectRatio="xMidYMin slice"
      fill="none"
      className={className}
    >
      <defs>
        <linearGradient id="bay-sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className="bay-sky-top" />
          <stop offset=".55" className="bay-sky-middle" />
          <stop offset="1" className="bay-sky-low" />
        </linearGradient>
        <linearGradient id="bay-water" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className="bay-water-top" />
          <stop offset="1" className="bay-water-low" />
        </linearGradient>
      </defs>
      <path fill="url(#bay-sky)" d="M0 0h640v300H0z" />
      <g className="bay-stars">
        <circle cx="70" cy="52" r="1.4" />
        <circle cx="148" cy="112" r="1" />
        <circle cx="216" cy="40" r="1.2" />
        <circle cx="306" cy="84" r="1" />
        <circle cx="392" cy="34" r="1.5" />
        <circle cx="556" cy="62" r="1.2" />
        <circle cx="600" cy="130" r="1" />
        <circle cx="36" cy="150" r="1" />
        <circle cx="520" cy="168" r=".9" />
      </g>
      <circle cx="436" cy="122" r="84" className="bay-halo" />
      <circle cx="436" cy="122" r="42" className="bay-sun" />
      <path
        className="bay-birds"
        strokeWidth="2"
        strokeLinecap="round"
        d="M300 62q7-8 13 0q6-8 13 0M346 84q5-6 10 0q5-6 10 0M284 92q4-5 8 0q4-5 8 0"
      />
      <g transform="translate(0 -84)">
        <path
          className="bay-far"
          d="M0 272c40-8 62-42 96-60 12-6 20-30 34-34l152-2c16 2 22 26 38 36 30 18 44 40 84 48 40 7 70-14 112-22 44-8 84 10 124 20v42H0Z"
        />
        <path
          className="bay-middle"
          d="M0 286c34-22 70-30 112-20 46 11 70 24 122 22 70-3 98-6 150-2 80 6 120-38 176-46 34-5 60 8 80 16v52H0Z"
        />
        <path fill="url(#bay-water)" d="M0 296h640v400H0z" />
        <g className="bay-glint" strokeWidth="3" strokeLinecap="round">
          <path opacity=".85" d="M424 312h92" />
          <path opacity=".7" d="M448 328h58M398 328h26" />
          <path opacity=".6" d="M412 346h76M504 346h20" />
          <path opacity=".45" d="M440 366h74M384 366h32" />
          <path opacity=".35" d="M402 390h60M486 390h46" />
          <path opacity=".22" d="M60 340h36M120 340h14M180 372h44M36 396h28M250 330h24" />
        </g>
        <g className="bay-boat">
          <path className="bay-sail" d="M268 262v46h-30c12-10 24-26 30-46ZM272 274c8 12 16 24 22 34h-22z" />
          <path className="bay-hull" d="M230 312h74c-4 9-10 13-18 13h-40c-8 0-13-4-16-13Z" />
        </g>
      </g>
      <path
        className="bay-near"
        d="M0 470c46-30 82-26 122-4 30 17 56 48 104 58 80 16 138-26 214-26 80 0 132 40 200 36v66H0Z"
      />
    </svg>
  );
}
