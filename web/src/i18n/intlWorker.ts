/**
 * The first formatted date makes a browser search all its languages, some 20 ms on a fast processor, and so does the
 * first country name. All threads of the page share the result, so this worker does it in the background and reports
 * completion.
 */
onmessage = ({ data }: MessageEvent<unknown>) => {
  if (data === 'countries') {
    new Intl.DisplayNames('en', { type: 'region' });
    Intl.Collator();
  } else Intl.DateTimeFormat();
  postMessage(null);
  close();
};
