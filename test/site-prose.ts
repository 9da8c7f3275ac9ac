/** A body with every element that the renderer can produce. */
export const everyElement = `<p>People ring us in the second summer. There is a crack in the post, they say, as long as my arm. There
is, and there will be another: <em>green oak</em> is sawn while it is full of water, and spends the next ten years giving it back.<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup>
What matters is that the joint has tightened meanwhile, as it was <strong>meant to</strong>.</p>
<p>This is a note on what to expect, with some figures, and with <a href="/contact">our number</a> for those who want to talk it over.</p>
<h2 id="what-green-means">What green means</h2>
<p>An oak that is felled in January holds about eight parts of water to ten of wood. Seasoned boards have lost most of it, at an
inch a year; a ten-inch post would take a decade. So carpenters have always worked it fresh: it cuts sweetly, and <mark>a frame pulls itself
together as it dries</mark>. The old word for the cracks is <dfn>shakes</dfn>; engineers say <abbr title="drying checks along the grain">checks</abbr>.</p>
<figure><img src="/picture.svg" width="1200" height="800" alt="A frame of four posts on a green field" loading="lazy"><figcaption>Four posts, one afternoon. Millbrook, October.</figcaption></figure>
<h3 id="figures">Figures</h3>
<div class="table-scroll" role="group" tabindex="0" aria-label="Table"><table>
<thead><tr><th scope="col">Part</th><th scope="col" class="align-right">Across the grain</th><th scope="col" class="align-right">Along it</th><th scope="col">After</th></tr></thead>
<tbody><tr><td>Post, 250 mm</td><td class="align-right">12 mm</td><td class="align-right">0.3 mm</td><td>8 years</td></tr>
<tr><td>Tie beam, 300 mm</td><td class="align-right">15 mm</td><td class="align-right">0.4 mm</td><td>10 years</td></tr>
<tr><td>Brace, 100 mm</td><td class="align-right">5 mm</td><td class="align-right">0.1 mm</td><td>3 years</td></tr></tbody>
</table></div>
<p>Three things follow:</p>
<ul><li>leave a gap where glass meets oak, and cover it;</li><li>draw the pegs:<ul><li>the hole in the tenon sits two millimetres closer to the shoulder,</li><li>so that the peg pulls;</li></ul></li><li>do not paint it. Ever.</li></ul>
<blockquote><p>A frame is a slow machine. It has one job and four hundred years to do it in.</p></blockquote>
<h2 id="drawing-it">Drawing it</h2>
<p><img class="float-right" src="/picture.svg" width="320" height="240" alt="A brace with a mortice" loading="lazy">We draw every joint at
full size. Most of the lines are older than the metre: a <code>laying-out line</code> is set two inches in from the face, and all else follows
from it. Press <kbd>Ctrl</kbd> + <kbd>P</kbd> to take this page into the yard. Water is H<sub>2</sub>O, an area is m<sup>2</sup>, a price was <del>£90</del> <ins>£80</ins>.</p>
<p>The arithmetic is short enough to do on a board. We did it with a pencil for thirty years, and then the younger daughter came back from
the university and wrote it down like this, which is exactly the same and never gets wet:</p>
<pre tabindex="0"><code class="language-js">function shrinkage(width, from, to) {
  // Tangential, for English oak: about 0.28 % for each per cent of moisture.
  const perPercent = 0.0028;
  return width * perPercent * (Math.min(from, 30) - to); // a long comment that certainly goes beyond the measure of the page
}
</code></pre>
<ol><li>Measure the post.</li><li>Measure it again:<ol><li>at the foot,</li><li>at the head.</li></ol></li><li>Cut it.</li></ol>
<ul class="contains-task-list"><li class="task-list-item"><input class="task-list-item-checkbox" type="checkbox" disabled checked aria-label="done"> Order the oak</li>
<li class="task-list-item"><input class="task-list-item-checkbox" type="checkbox" disabled aria-label="to do"> Sharpen everything</li></ul>
<hr>
<h2 id="questions">Questions people ask</h2>
<details><summary>Will it fall down?</summary><p>No. The cracks run along the grain; what carries the load is along it too.</p></details>
<dl><dt>Mortice</dt><dd>The hole.</dd><dt>Tenon</dt><dd>What goes into the hole, and never comes out again if we have anything to do with it.</dd></dl>
<figure class="float-left image-small"><img src="/picture.svg" width="1200" height="800" alt="A peg" loading="lazy"><figcaption>A peg.</figcaption></figure>
<p>Pegs are cleft and not sawn, so that the grain runs from one end to the other. A dry peg in a green hole holds for good: the hole closes on it while the post loses its water, and nobody has ever drawn one out again. We make them in the winter, on a horse that is older than the workshop, and let them dry beside the stove.</p>
<figure class="image-wide"><a href="/work"><img src="/picture.svg" width="1200" height="800" alt="A frame in a field" loading="lazy"></a><figcaption>The frame a <em>week</em> later.</figcaption></figure>
<p>By the second week the roof is on.</p>
<figure class="image-full"><img src="/picture.svg" width="1200" height="800" alt="A frame in a field" loading="lazy"><figcaption>The field, from the lane.</figcaption></figure>
<figure class="align-center image-small"><img src="/picture.svg" width="1200" height="800" alt="A mallet" loading="lazy"><figcaption>The mallet.</figcaption></figure>
<h3>Small</h3><h4>Smaller</h4><p class="align-center">A line in the middle.</p><h5>Smaller still</h5><p class="align-right">And one at the end.</p><h6>The smallest</h6><p>Done.</p>
<div class="embed"><iframe src="about:blank" title="Raising day, a film" width="560" height="315" loading="lazy"></iframe></div>
<hr class="footnotes-sep">
<section class="footnotes"><ol class="footnotes-list"><li id="fn1" class="footnote-item"><p>An inch of thickness a year is what they say. In our barn it is nearer eighteen months. <a href="#fnref1" class="footnote-backref">↩︎</a></p></li></ol></section>`;
