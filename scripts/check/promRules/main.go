// As much of promtool as `npm run check:deploy` needs: `check rules` and `test rules`. The whole of it takes Go several
// minutes, for it knows how to find targets at every cloud; this takes one. unittest.go beside this file, once it lies
// in the cache folder, is promtool's own, copied from its module.
package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
)

// What unittest.go takes from the rest of promtool.
const (
	successExitCode = 0
	failureExitCode = 1
)

func parseTime(text string) (time.Time, error) {
	return time.Parse(time.RFC3339Nano, text)
}

func main() {
	if len(os.Args) < 4 || os.Args[2] != "rules" {
		fmt.Fprintln(os.Stderr, "usage: promtool check|test rules <file>...")
		os.Exit(2)
	}
	rules := parser.NewParser(parser.Options{})
	if os.Args[1] == "test" {
		os.Exit(RulesUnitTest(promqltest.LazyLoaderOpts{}, rules, nil, false, false, false, os.Args[3:]...))
	}
	code := successExitCode
	for _, file := range os.Args[3:] {
		_, problems := rulefmt.ParseFile(file, false, model.UTF8Validation, rules, slog.New(slog.NewTextHandler(io.Discard, nil)))
		for _, problem := range problems {
			fmt.Fprintln(os.Stderr, problem)
			code = failureExitCode
		}
	}
	os.Exit(code)
}
