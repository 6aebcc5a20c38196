/** The worker that colours groups of a patch away from the page's own thread. */
import { type ColourAnswer, type ColourRequest, colourLines, knowsLanguage } from './colour-lines';

addEventListener('message', ({ data }: MessageEvent<ColourRequest>) => {
  const language = data.language !== null && knowsLanguage(data.language) ? data.language : null;
  const answer: ColourAnswer = { id: data.id, lines: colourLines({ language, hunks: data.hunks }) };
  postMessage(answer);
});
