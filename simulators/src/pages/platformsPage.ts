import type { SimulatedPlatformPost } from '../platforms/PlatformSimulation.ts';
import { html, renderPage, type Html } from './html.ts';

function postItem(post: SimulatedPlatformPost): Html {
  return html`<li class="message">
    <p class="heading">
      <span class="badge">${post.platform}</span>
      <strong>${post.account}</strong>
      <time datetime="${post.createdAt}">${post.createdAt.replace('T', ' ').slice(0, 19)} UTC</time>
    </p>
    <p class="text">${post.text}</p>
    ${post.media.length > 0 && html`<p class="subject">Media: ${post.media.length}</p>`}
  </li>`;
}

/** Renders the posts that the simulated platforms have published, newest first. */
export function platformsPage(posts: readonly SimulatedPlatformPost[]): Html {
  const body = html`<main class="wide">
    <p class="badge">Simulator</p>
    <h1>Social platforms</h1>
    <p>Posts that this installation would have published. Nothing leaves the machine.</p>
    ${
      posts.length === 0
        ? html`<p class="empty">Nothing has been published yet.</p>`
        : html`<ol class="messages" aria-label="Posts, newest first">
            ${posts.slice(0, 200).map(postItem)}
          </ol>`
    }
  </main>`;
  return renderPage({ title: 'Social platforms', body });
}
