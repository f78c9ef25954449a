// This program books and cancels with the client that oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"time"

	"latchkey.test/clients/oapi/api"
)

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	base, token, day := os.Args[1], os.Args[2], os.Args[4]
	id := must(strconv.Atoi(os.Args[3]))
	ctx := context.Background()
	client := must(api.NewClientWithResponses(base, api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token)
			return nil
		})))
	me := must(client.GetMeWithResponse(ctx, nil))
	slots := must(client.ListSlotsWithResponse(ctx, &api.ListSlotsParams{EventTypeId: &id, Start: day, End: day}))
	start := slots.JSON200.Data[day][0].Start
	attendee := api.NewAttendee{Name: "Bob Jones", Email: "bob@example.com", TimeZone: "Europe/Rome"}
	body := api.NewBooking{EventTypeId: &id, Start: start, Attendee: attendee}
	booked := must(client.CreateBookingWithResponse(ctx, nil, body))
	uid := booked.JSON201.Data.Uid
	status := api.BookingStatusAccepted
	listed := must(client.ListBookingsWithResponse(ctx, &api.ListBookingsParams{EventTypeIds: &[]int{id}}))
	cancelled := must(client.CancelBookingWithResponse(ctx, uid, nil, api.Cancellation{}))
	body.Start = time.Unix(86400, 0).UTC()
	refused := must(client.CreateBookingWithResponse(ctx, nil, body))
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"email":     me.JSON200.Data.Email,
		"accepted":  booked.JSON201.Data.Status == status,
		"listed":    listed.JSON200.Data[0].Uid == uid,
		"cancelled": string(cancelled.JSON200.Data.Status),
		"refused":   refused.JSON400.Error.Details,
	})
}
