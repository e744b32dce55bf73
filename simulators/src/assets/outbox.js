// Reloads the page when a new message arrives, unless someone is typing or reading further down.
const main = document.querySelector('main');
const filter = document.getElementById('to');

async function look() {
  if (document.hidden || document.activeElement === filter) return;
  const query = new URLSearchParams({ limit: '1' });
  const to = new URLSearchParams(location.search).get('to');
  if (to) query.set('to', to);
  try {
    const answer = await fetch(`/outbox/messages?${query}`);
    const { messages } = await answer.json();
    if ((messages[0]?.id ?? '') !== main.dataset.newest) location.reload();
  } catch {
    // The simulators are stopping or restarting. The next poll finds out.
  }
}

setInterval(() => void look(), 2000);
