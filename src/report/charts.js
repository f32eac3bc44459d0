// Draws the report's charts and lets figures be copied. The page reads whole without it.
(function () {
  'use strict';
  var root = document.documentElement;
  var PRINT_WIDTH = 690; // A4 without margins, in CSS pixels
  var MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

  function token(name) {
    return getComputedStyle(root).getPropertyValue(name).trim();
  }

  function make(tag, className, text) {
    var element = document.createElement(tag);
    element.className = className;
    if (text) element.textContent = text;
    return element;
  }

  // ---- a note near the pointer, and what was copied

  var note = make('div', 'tip');
  note.setAttribute('aria-hidden', 'true');
  document.body.appendChild(note);
  var said = make('div', 'said');
  said.setAttribute('role', 'status');
  document.body.appendChild(said);
  var saidTimer = 0;

  function say(text) {
    said.textContent = text;
    said.classList.add('on');
    clearTimeout(saidTimer);
    saidTimer = setTimeout(function () { said.classList.remove('on'); }, 4000);
  }

  function showNote(event, lines) {
    note.textContent = '';
    lines.forEach(function (line, i) { note.appendChild(make(i ? 'span' : 'strong', '', line)); });
    note.classList.add('on');
    var width = note.offsetWidth;
    var left = Math.min(event.clientX + 14, root.clientWidth - width - 8);
    note.style.left = Math.max(8, left) + 'px';
    note.style.top = event.clientY + 16 + 'px';
  }

  function hideNote() { note.classList.remove('on'); }

  // ---- charts

  function shortLabel(text) {
    var day = /^\d{4}-(\d\d)-(\d\d)/.exec(text);
    return day ? Number(day[2]) + ' ' + MONTHS[Number(day[1]) - 1] : text;
  }

  // Days or hours: bars stand, however many.
  function isTime(chart) {
    return chart.categories.every(function (name) { return /^\d{4}-\d\d-\d\d/.test(name); });
  }

  // Long names or many bars lie; times and short names stand.
  function isLying(chart) {
    if (chart.kind !== 'bars' || isTime(chart)) return false;
    var longest = Math.max.apply(null, chart.categories.map(function (name) {
      return shortLabel(name).length;
    }).concat(0));
    return longest > 12 || chart.categories.length > 31;
  }

  function heightOf(chart) {
    if (chart.kind === 'heat') return 60 + 22 * chart.series.length;
    return isLying(chart) ? 44 + 30 * chart.categories.length : 260;
  }

  function numberAxis(scale) {
    return {
      type: 'value',
      splitNumber: scale,
      axisLabel: {
        color: token('--muted'),
        formatter: function (value) { return value.toLocaleString('en-US'); },
        hideOverlap: true
      },
      splitLine: {lineStyle: {color: token('--line')}},
      axisLine: {show: false},
      axisTick: {show: false}
    };
  }

  function nameAxis(chart, width) {
    var lying = isLying(chart);
    return {
      type: 'category',
      data: chart.categories,
      inverse: lying,
      axisLabel: {
        color: token('--ink'),
        fontFamily: getComputedStyle(document.body).fontFamily,
        formatter: shortLabel,
        // Of hours, only midnight is named.
        interval: !isTime(chart) || chart.categories.length <= 31 ? 'auto' : function (i, name) {
          return /T00:00/.test(name);
        },
        width: lying ? Math.min(200, width * 0.34) : undefined,
        overflow: lying ? 'truncate' : undefined
      },
      axisLine: {lineStyle: {color: token('--line')}},
      axisTick: {show: false}
    };
  }

  function frame(parts) {
    var options = {
      animation: false,
      textStyle: {fontFamily: getComputedStyle(document.body).fontFamily},
      grid: {left: 12, right: 24, top: 12, bottom: 4, containLabel: true}
    };
    Object.keys(parts).forEach(function (name) { options[name] = parts[name]; });
    return options;
  }

  function lineOptions(chart, width) {
    return frame({
      xAxis: nameAxis(chart, width),
      yAxis: numberAxis(5),
      series: chart.series.map(function (series) {
        var color = token('--c-' + series.color);
        return {
          type: 'line',
          name: series.name,
          data: series.values.map(function (value) { return value === '' ? null : Number(value); }),
          symbolSize: 7,
          lineStyle: {color: color, width: 2},
          itemStyle: {color: color}
        };
      })
    });
  }

  // Cells are bars of length 1, one stacked upon another, the fuller the darker.
  function heatOptions(chart, width) {
    var most = 0;
    chart.series.forEach(function (row) {
      row.values.forEach(function (value) { most = Math.max(most, Number(value)); });
    });
    var rows = nameAxis({categories: chart.series.map(function (row) { return row.name; })}, width);
    rows.inverse = true;
    return frame({
      xAxis: {type: 'value', max: chart.categories.length, show: false},
      yAxis: rows,
      series: chart.categories.map(function (name, column) {
        return {
          type: 'bar',
          stack: 'all',
          name: name,
          barCategoryGap: '8%',
          data: chart.series.map(function (row) {
            var value = row.values[column];
            if (!value) return '-';
            return {
              value: 1,
              itemStyle: {
                color: token('--c-1'),
                opacity: 0.06 + 0.94 * Number(value) / (most || 1),
                borderColor: token('--card'),
                borderWidth: 1
              }
            };
          })
        };
      })
    });
  }

  function optionsOf(chart, width) {
    if (chart.kind === 'lines') return lineOptions(chart, width);
    if (chart.kind === 'heat') return heatOptions(chart, width);
    var lying = isLying(chart);
    var names = nameAxis(chart, width);
    var numbers = numberAxis(lying && width < 500 ? 3 : 5);
    return frame({
      xAxis: lying ? numbers : names,
      yAxis: lying ? names : numbers,
      series: chart.series.map(function (series) {
        var color = token('--c-' + series.color);
        return {
          type: 'bar',
          stack: 'all',
          name: series.name,
          data: series.values.map(Number),
          barMaxWidth: lying ? 20 : 56,
          barCategoryGap: chart.categories.length > 31 ? '0%' : '20%',
          itemStyle: {
            color: color,
            borderColor: token('--card'),
            borderWidth: chart.categories.length > 31 ? 0 : 0.75
          },
          emphasis: {itemStyle: {color: color, borderColor: token('--ink'), borderWidth: 1.5}}
        };
      })
    });
  }

  var drawn = [];

  function draw(entry, width) {
    var size = {width: width || entry.place.clientWidth, height: heightOf(entry.chart)};
    if (!size.width) return; // inside a closed <details>
    if (!entry.view) {
      entry.view = echarts.init(entry.place, null, {
        renderer: 'canvas',
        devicePixelRatio: Math.max(2, window.devicePixelRatio || 1),
        width: size.width,
        height: size.height
      });
      entry.view.on('mousemove', function (at) {
        var heat = entry.chart.kind === 'heat';
        var series = entry.chart.series[heat ? at.dataIndex : at.seriesIndex];
        var index = heat ? at.seriesIndex : at.dataIndex;
        showNote(at.event.event, [
          entry.chart.categories[index], series.name + ': ' + series.shown[index]
        ]);
      });
      entry.view.on('mouseout', hideNote);
    }
    entry.view.resize(size);
    entry.view.setOption(optionsOf(entry.chart, size.width), true);
    entry.width = size.width;
  }

  function drawAll(width) {
    drawn.forEach(function (entry) { draw(entry, width); });
  }

  function start() {
    if (typeof echarts === 'undefined') return;
    var charts = JSON.parse(document.getElementById('report-data').textContent);
    root.classList.add('charted');
    charts.forEach(function (chart) {
      var place = document.getElementById(chart.id);
      place.style.height = heightOf(chart) + 'px';
      drawn.push({chart: chart, place: place, view: null, width: 0});
    });
    drawAll();
    var watch = new ResizeObserver(function () {
      if (root.hasAttribute('data-print')) return;
      drawn.forEach(function (entry) {
        if (entry.place.clientWidth !== entry.width) draw(entry);
      });
    });
    drawn.forEach(function (entry) { watch.observe(entry.place); });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', function () {
      drawAll();
    });
  }

  // ---- print: light colours, the page's width, the appendix open

  var opened = [];
  window.addEventListener('beforeprint', function () {
    root.setAttribute('data-print', '');
    opened = Array.prototype.slice.call(
      document.querySelectorAll('details[data-print=open]:not([open])'));
    opened.forEach(function (details) { details.open = true; });
    drawAll(PRINT_WIDTH);
  });
  window.addEventListener('afterprint', function () {
    root.removeAttribute('data-print');
    opened.forEach(function (details) { details.open = false; });
    drawAll();
  });

  // ---- copy the command behind a figure

  function copyByHand(text) {
    var area = make('textarea', 'off');
    area.value = text;
    document.body.appendChild(area);
    area.select();
    try { document.execCommand('copy'); } catch (error) { /* it stays on the screen */ }
    area.remove();
  }

  function copy(text) {
    if (navigator.clipboard) {
      navigator.clipboard.writeText(text).catch(function () { copyByHand(text); });
    } else {
      copyByHand(text);
    }
    say('Copied: ' + text);
  }

  Array.prototype.forEach.call(document.querySelectorAll('[data-figure]'), function (holder) {
    var button = make('button', 'explain', '?');
    button.type = 'button';
    button.title = holder.title;
    var name = holder.querySelector('dt, th, td');
    button.setAttribute('aria-label', 'Copy the command that explains ' + name.textContent);
    button.addEventListener('click', function () { copy(holder.title); });
    name.appendChild(button);
  });

  start();
})();
