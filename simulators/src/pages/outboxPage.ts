import type { OutboxMessage } from '../outbox/Outbox.ts';
import { html, renderPage, type Html } from './html.ts';

function messageItem(message: OutboxMessage): Html {
  return html`<li class="message">
    <p class="heading">
      <span class="badge">${message.channel === 'sms' ? 'SMS' : 'Email'}</span>
      <strong>${message.to}</strong>
      <time datetime="${message.createdAt}">${message.createdAt.replace('T', ' ').slice(0, 19)} UTC</time>
    </p>
    ${message.subject !== undefined && html`<p class="subject">${message.subject}</p>`}
    <p class="text">${message.text}</p>
  </li>`;
}

/** Renders the messages that would have been sent, newest first. The script polls for new ones and reloads the page. */
export function outboxPage({ messages, to }: { messages: readonly OutboxMessage[]; to: string | undefined }): Html {
  const body = html`<main class="wide" data-newest="${messages[0]?.id ?? ''}">
    <p class="badge">Simulator</p>
    <h1>Outbox</h1>
    <p>
      Text messages and emails that this installation would have sent. Nothing leaves the machine. The last 1,000
      messages are kept.
    </p>
    <form class="filter" method="get" action="/outbox" role="search">
      <label for="to">Recipient</label>
      <input id="to" name="to" type="text" value="${to ?? ''}" placeholder="+15551234567" autocomplete="off" />
      <button type="submit">Show</button>
    </form>
    ${
      messages.length === 0
        ? html`<p class="empty">Nothing has been sent yet.</p>`
        : html`<ol class="messages" aria-label="Messages, newest first">
            ${messages.map(messageItem)}
          </ol>`
    }
  </main>`;
  return renderPage({ title: 'Outbox', body, script: 'outbox.js' });
}
