// The search of the documentation: every word that was typed has to begin a word of the section.
const field = document.querySelector('#search');
const results = document.querySelector('#results');
let index;

const load = () => {
  index ??= fetch(field.dataset.index).then((answer) => answer.json());
  return index;
};

const scoreOf = (section, words) => {
  const [heading, text] = [section.heading.toLowerCase(), section.text.toLowerCase()];
  let score = 0;
  for (const word of words) {
    const begins = new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[^\p{L}\p{N}_]/gu, '\\$&')}`, 'u');
    if (begins.test(heading)) score += 10;
    else if (begins.test(text)) score += 1;
    else return 0;
  }
  return score;
};

const show = async () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  const sections = words.length === 0 ? [] : await load();
  const found = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 12);
  results.replaceChildren(
    ...found.map(({ section }) => {
      const [line, link] = [document.createElement('li'), document.createElement('a')];
      link.href = section.url;
      link.textContent =
        section.page === section.heading ? section.page : `${section.page}: ${section.heading}`;
      line.append(link);
      return line;
    }),
  );
};

field.addEventListener('input', () => void show());
