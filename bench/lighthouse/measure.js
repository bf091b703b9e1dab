// One measurement, in a process of its own: node measure.js ADDRESS PORT. The port is that of a browser's protocol.
import lighthouse from 'lighthouse';

const [, , address, port] = process.argv;
const found = await lighthouse(address, {
  port: Number(port),
  logLevel: 'error',
  formFactor: 'mobile',
  onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
});
const { categories, audits } = found.lhr;
const failed = Object.values(audits)
  .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
  .map(({ id }) => id);
console.log(
  JSON.stringify({
    scores: Object.fromEntries(Object.values(categories).map(({ id, score }) => [id, Math.round(score * 100)])),
    layoutShift: audits['cumulative-layout-shift'].numericValue,
    largestPaintMs: Math.round(audits['largest-contentful-paint'].numericValue),
    blockedMs: Math.round(audits['total-blocking-time'].numericValue),
    failed,
  }),
);
